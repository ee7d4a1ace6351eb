internal import Foundation
internal import Hummingbird
internal import Models
internal import NIOCore

/// `GET /v1/heatmap`.
struct HeatmapService: Sendable {
    let state: StateReaders
    let programmes: Programmes
    let zone: TimeZone
    let cellLimit: Int
    let freshness: Freshness

    func respond(to request: Request, scope: NetworkScope, now: UnixMilliseconds) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: HeatmapQuery.parameters)
        let query = try HeatmapQuery(parameters, programmes, now: now)
        let networks = try scope.narrowed(to: query.scope)
        let reader = HeatmapReader(
            query: query, networks: networks, withUnshared: scope == .everything, cover: BucketCover(zone: zone),
            cellLimit: cellLimit)
        // Asked before the cells are read, which may then say more.
        let document = HeatmapDocument(query: query, completeTo: freshness.completeTo(.statistics))
        let text = try await state.read { db in document.text(of: try reader.cells(db)) }
        return Response(
            status: .ok, headers: [.contentType: "application/geo+json"],
            body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }
}
