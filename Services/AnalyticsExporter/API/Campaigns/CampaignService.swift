package import ExporterStores
package import ExporterSupport
package import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `GET /v1/campaigns` and `.csv`: what campaigns spent, and what came of it.
package struct CampaignService: Sendable {
    enum Format: String { case json, csv }

    let state: StateReaders
    let zone: TimeZone
    let freshness: Freshness

    package init(state: StateReaders, zone: TimeZone, freshness: Freshness) {
        self.state = state
        self.zone = zone
        self.freshness = freshness
    }

    func respond(
        to request: Request, format: Format, scope: NetworkScope, now: UnixMilliseconds
    ) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: CampaignQuery.parameters)
        let query = try CampaignQuery(parameters, scope: scope, zone: zone, now: now)
        // Asked before the figures are read, which may then say more.
        let answer = FigureAnswer(now: now, completeTo: freshness.completeTo(.campaigns))
        let campaigns = try await state.read { try query.campaigns($0) }
        if format == .json {
            let members = CampaignAnswer(campaigns, of: query.days, timeZone: zone.identifier)
            return try answer.response(try SortedJSON.bytes(of: members), to: request)
        }
        let text = CampaignTable.text(of: campaigns)
        var response = try CellAnswer.response(
            text, "text/csv", tag: EntityTag(weaklyOf: text).text, completeTo: answer.completeTo, to: request)
        response.headers[.contentDisposition] = "attachment; filename=\"campaigns.csv\""
        return response
    }
}
