internal import ExporterSupport
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `GET /v1/kpis`: a metric as a series of buckets, each with quantiles, a share and their intervals.
package struct KPIService: Sendable {
    /// Names of the parameters.
    static let parameters = MetricChoice.parameters + ["bucket"] + FigureSelection.parameters

    let source: FigureSource

    package init(_ source: FigureSource) { self.source = source }

    func respond(to request: Request, of tenant: Tenant, now: UnixMilliseconds) async throws -> Response {
        let scope = tenant.scope
        let parameters = try FigureSource.parameters(request, known: Self.parameters)
        let selection = try FigureSelection(
            parameters, source.programmes, source.regions, of: "series of figures", now: now)
        let choice = try MetricChoice(parameters, selection.cells.programme)
        let series = try PointSeries(parameters, selection.cells.seconds, source.cover)
        let networks = try scope.narrowed(to: selection.cells.scope)
        let reader = source.reader(
            selection.cells, metric: choice.metric.number, scope: scope, networks: networks,
            byMonth: series.isByMonth)
        let answer = source.answer(now: now)
        let annotations = answer.annotations(of: tenant, networks, from: series.period.from, to: series.period.to)
        let (points, noted) = try await source.cells.state.read { db in
            let sums: [Int64: MetricSum] = try reader.cells(db, of: series.buckets, in: selection.area) {
                bucket, _, _ in
                series.point(of: bucket)
            }
            let points = series.points.map { point -> JSONValue in
                let end = point.upperBound * 1_000
                var members = FigureDocument.members(sums[point.lowerBound]?.figures, choice)
                members["from_ms"] = .integer(point.lowerBound * 1_000)
                members["to_ms"] = .integer(end)
                members["complete"] = .bool(answer.completeTo.map { $0 >= end } ?? false)
                return .object(members)
            }
            return (points, try annotations.list(db))
        }
        var members = FigureAnswer.head(selection, from: series.period.from, to: series.period.to)
        members.merge(FigureDocument.head(choice)) { $1 }
        members["bucket"] = .string(series.name)
        if selection.cells.cellScope == .networks {
            members["plmn"] =
                selection.cells.scope.map {
                    .string(FigureAnswer.name(of: PLMN(rawValue: $0.number)))
                } ?? .null
        } else {
            members["scope"] = selection.cells.scope.map { .string($0.text) } ?? .null
        }
        members["points"] = .array(points)
        members["annotations"] = noted
        return try answer.response(members, to: request)
    }
}
