internal import ExporterStores
internal import ExporterSupport
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `GET /v1/cells.json` and `.csv`: the heat map for programs that want rows.
package struct CellTableService: Sendable {
    let source: FigureSource

    package init(_ source: FigureSource) { self.source = source }

    func respond(
        to request: Request, format: CellTable.Format, scope: NetworkScope, now: UnixMilliseconds
    ) async throws -> Response {
        let parameters = try FigureSource.parameters(request, known: HeatmapQuery.parameters)
        let query = try HeatmapQuery(parameters, source.cells.programmes, now: now)
        let reader = source.reader(
            query.cells, metric: query.metric.number, scope: scope, networks: try scope.narrowed(to: query.cells.scope),
            byMonth: true)
        let completeTo = source.cells.freshness.completeTo(.statistics)
        let seconds = query.cells.seconds
        let buckets = source.cover.buckets(from: seconds.from, to: seconds.to)
        let table = CellTable(format: format, query: query)
        let text = try await source.cells.state.read { db in
            let cells: [UInt64: MetricSum] = try reader.cells(db, of: buckets, level: query.cells.level) { _, code, _ in
                code
            }
            return table.text(of: cells)
        }
        let tag = EntityTag(weaklyOf: text).text
        var response = try CellAnswer.response(
            text, format == .json ? "application/json" : "text/csv", tag: tag, completeTo: completeTo, to: request)
        if format == .csv { response.headers[.contentDisposition] = "attachment; filename=\"cells.csv\"" }
        return response
    }
}
