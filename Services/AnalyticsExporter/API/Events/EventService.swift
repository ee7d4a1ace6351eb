package import ExporterStores
package import ExporterSupport
package import Foundation
internal import Hummingbird
package import Models
internal import ServiceKit

/// `GET /v1/events`: how often what happened, by kind, network, place and time. They are cells of the heat map, whose rules hold:
/// the same rows, the same scope, and the same word where too few devices speak for a place.
package struct EventService: Sendable {
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
            known: EventQuery.parameters)
        let cover = BucketCover(zone: zone)
        let query = try EventQuery(parameters, programmes, cover, now: now)
        let reader = CellReader(
            query: query.cells, metric: query.metric.number, networks: try scope.narrowed(to: query.cells.scope),
            withUnshared: scope == .everything, cellLimit: cellLimit)
        let completeTo = freshness.completeTo(.statistics)
        let (text, tag) = try await state.read { db in
            var found: [EventDocument.Key: HeatmapCell] = [:]
            for level in query.cells.givenBox == nil ? [0, query.cells.level] : [query.cells.level] {
                let cells = try reader.cells(db, of: query.buckets, level: level) { bucket, code, scope in
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
