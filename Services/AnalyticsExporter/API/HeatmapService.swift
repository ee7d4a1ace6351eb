package import ExporterStores
package import ExporterSupport
package import Foundation
internal import Hummingbird
package import Models

/// `GET /v1/heatmap`. Who has it already is told so (RFC 9110, 13.1.2), with the moment to which it is complete now.
package struct HeatmapService: Sendable {
    let state: StateReaders
    let programmes: Programmes
    let zone: TimeZone
    let cellLimit: Int
    let freshness: Freshness

    package init(state: StateReaders, programmes: Programmes, zone: TimeZone, cellLimit: Int, freshness: Freshness) {
        self.state = state
        self.programmes = programmes
        self.zone = zone
        self.cellLimit = cellLimit
        self.freshness = freshness
    }

    func respond(to request: Request, scope: NetworkScope, now: UnixMilliseconds) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: HeatmapQuery.parameters)
        let query = try HeatmapQuery(parameters, programmes, now: now)
        let networks = try scope.narrowed(to: query.cells.scope)
        let reader = CellReader(
            query: query.cells, metric: query.metric.number, networks: networks, withUnshared: scope == .everything,
            cellLimit: cellLimit)
        // Asked before the cells are read, which may then say more.
        let document = HeatmapDocument(query: query, completeTo: freshness.completeTo(.statistics))
        let seconds = query.cells.seconds
        let buckets = BucketCover(zone: zone).buckets(from: seconds.from, to: seconds.to)
        let (text, tag) = try await state.read { db in
            document.text(of: try reader.cells(db, of: buckets, level: query.cells.level) { _, code, _ in code })
        }
        return try CellAnswer.response(
            text, "application/geo+json", tag: tag, completeTo: document.completeTo, to: request)
    }
}
