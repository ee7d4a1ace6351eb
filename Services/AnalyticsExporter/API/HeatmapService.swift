package import ExporterSupport
package import Foundation
internal import Hummingbird
package import Models
internal import NIOCore

/// `GET /v1/heatmap`.
package struct HeatmapService: Sendable {
    let state: StateReaders
    let programmes: Programmes
    let zone: TimeZone
    let cellLimit: Int

    package init(state: StateReaders, programmes: Programmes, zone: TimeZone, cellLimit: Int) {
        self.state = state
        self.programmes = programmes
        self.zone = zone
        self.cellLimit = cellLimit
    }

    func respond(to request: Request, scope: NetworkScope, now: UnixMilliseconds) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: HeatmapQuery.parameters)
        let query = try HeatmapQuery(parameters, programmes, now: now)
        let networks = try scope.narrowed(to: query.scope)
        let reader = HeatmapReader(
            query: query, networks: networks, withUnshared: scope == .everything, cover: BucketCover(zone: zone),
            cellLimit: cellLimit)
        let text = try await state.read { db in HeatmapDocument(query: query).text(of: try reader.cells(db)) }
        return Response(
            status: .ok, headers: [.contentType: "application/geo+json"],
            body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }
}
