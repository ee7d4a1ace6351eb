internal import ExporterStores
internal import ExporterSupport
internal import Hummingbird
internal import Models

/// `GET /v1/heatmap`. Who has it already is told so (RFC 9110, 13.1.2), with the moment to which it is complete now.
package struct HeatmapService: Sendable {
    private let source: CellSource

    package init(_ source: CellSource) { self.source = source }

    var programmes: Programmes { source.programmes }

    func respond(to request: Request, scope: NetworkScope, now: UnixMilliseconds) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: HeatmapQuery.parameters)
        let query = try HeatmapQuery(parameters, source.programmes, now: now)
        let networks = try scope.narrowed(to: query.cells.scope)
        let reader = CellReader(
            query: query.cells, metric: query.metric.number, networks: networks, withUnshared: scope == .everything,
            cellLimit: source.cellLimit, months: MonthReading(zone: source.zone))
        // Asked before the cells are read, which may then say more.
        let document = HeatmapDocument(
            query: query, asOf: now, completeTo: source.freshness.completeTo(.statistics))
        let seconds = query.cells.seconds
        let buckets = BucketCover(zone: source.zone).buckets(from: seconds.from, to: seconds.to)
        let (text, tag) = try await source.state.read { db in
            document.text(of: try reader.cells(db, of: buckets, level: query.cells.level) { _, code, _ in code })
        }
        return try CellAnswer.response(
            text, "application/geo+json", tag: tag, completeTo: document.completeTo, to: request)
    }
}
