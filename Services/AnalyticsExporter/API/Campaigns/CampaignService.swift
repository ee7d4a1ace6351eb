internal import Crypto
internal import ExporterStores
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

    package init(state: StateReaders, zone: TimeZone) {
        self.state = state
        self.zone = zone
    }

    func respond(
        to request: Request, format: Format, scope: NetworkScope, now: UnixMilliseconds
    ) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: CampaignQuery.parameters)
        let query = try CampaignQuery(parameters, scope: scope, zone: zone, now: now)
        let campaigns = try await state.read { try query.campaigns($0) }
        let text =
            format == .csv
            ? CampaignTable.text(of: campaigns)
            : try SortedJSON.bytes(of: CampaignAnswer(campaigns, of: query.days, timeZone: zone.identifier))
        let tag = "W/\"\(Hexadecimal.text(Array(SHA256.hash(data: text).prefix(12))))\""
        var response = try CellAnswer.response(
            text, format == .json ? "application/json" : "text/csv", tag: tag, completeTo: nil, to: request)
        if format == .csv { response.headers[.contentDisposition] = "attachment; filename=\"campaigns.csv\"" }
        return response
    }
}
