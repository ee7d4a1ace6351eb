internal import ExporterSupport
internal import Models

/// What a heat map is asked for.
struct HeatmapQuery: Sendable {
    /// Names of the parameters.
    static let parameters = ["metric"] + FigureQuery.parameters + CellSelection.parameters

    let cells: CellSelection
    let metric: ProgrammeMetric
    let figures: FigureQuery

    /// - Parameters:
    ///   - programmes: those that may be asked for; the first one with cells if none is named.
    ///   - now: without `from` and `to` the period is the last 24 hours.
    init(
        _ parameters: QueryParameters, _ programmes: Programmes, now: UnixMilliseconds
    ) throws(ParameterFault) {
        cells = try CellSelection(parameters, Self.shown(programmes), of: "a heat map", now: now)
        let metrics = Self.metrics(of: cells.programme)
        let metric = try parameters.choice("metric", of: metrics.map(\.name))
        self.metric = metric.flatMap { name in metrics.first { $0.name == name } } ?? metrics[0]
        figures = try FigureQuery(parameters, self.metric, cells.programme.field(of: self.metric))
    }

    /// The metrics of a programme that have quantiles; names of what happened have none.
    static func metrics(of programme: Programme) -> [ProgrammeMetric] { programme.metrics.filter(\.isOrdered) }

    /// Programmes with cells and such metrics.
    static func shown(_ programmes: Programmes) -> [Programme] {
        programmes.all.filter { !metrics(of: $0).isEmpty && $0.cellScope != nil }
    }
}
