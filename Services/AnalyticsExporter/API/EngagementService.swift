package import ExporterStores
package import ExporterSupport
package import Foundation
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit

/// `GET /v1/engagement`: what became of prompts, by policy version.
package struct EngagementService: Sendable {
    let state: StateReaders
    let zone: TimeZone
    let freshness: Freshness

    package init(state: StateReaders, zone: TimeZone, freshness: Freshness) {
        self.state = state
        self.zone = zone
        self.freshness = freshness
    }

    func respond(to request: Request, scope: NetworkScope, now: UnixMilliseconds) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: EngagementQuery.parameters)
        let query = try EngagementQuery(parameters, scope: scope, zone: zone, now: now)
        let document = EngagementDocument(
            try await state.read { try query.rows($0) }, of: query.days, timeZone: zone.identifier,
            completeTo: freshness.completeTo(.rows))
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: document))))
    }
}
