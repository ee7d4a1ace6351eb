internal import ExporterStores
internal import ExporterSupport
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `GET /v1/events`: how often what happened, by kind, network, place and time. They are cells of the heat map, whose rules hold:
/// the same rows, the same scope, and the same word where too few devices speak for a place.
package struct EventService: Sendable {
    private let source: CellSource

    package init(_ source: CellSource) { self.source = source }

    func respond(to request: Request, scope: NetworkScope, now: UnixMilliseconds) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: EventQuery.parameters)
        let cover = BucketCover(zone: source.zone)
        let query = try EventQuery(parameters, source.programmes, cover, now: now)
        let reader = CellReader(
            query: query.cells, metric: query.metric.number, networks: try scope.narrowed(to: query.cells.scope),
            withUnshared: scope == .everything, cellLimit: source.cellLimit)
        let completeTo = source.freshness.completeTo(.statistics)
        let (text, tag) = try await source.state.read { db in
            var found: [EventDocument.Key: EventCounts] = [:]
            for level in query.cells.givenBox == nil ? [0, query.cells.level] : [query.cells.level] {
                let cells: [EventDocument.Key: EventCounts] = try reader.cells(db, of: query.buckets, level: level) {
                    bucket, code, scope in
                    EventDocument.Key(
                        start: query.bucket == nil ? query.period.from : bucket.start, level: level, code: code,
                        scope: scope)
                }
                found.merge(cells) { first, _ in first }
            }
            return try EventDocument(found, of: query, cover).text(completeTo: completeTo)
        }
        return try CellAnswer.response(text, "application/json", tag: tag, completeTo: completeTo, to: request)
    }
}
