internal import ExporterSupport
internal import Models

/// Which figures of a metric are asked for.
struct FigureSelection: Sendable {
    /// Names of the parameters.
    static let parameters = CellSelection.parameters + FigurePlace.parameters

    let cells: CellSelection
    let place: FigurePlace
    let area: CellArea

    /// - Parameters:
    ///   - shown: programmes that may be asked for; the first one if none is named.
    ///   - what: the call, for a fault that there is none.
    ///   - now: without `from` and `to` the period is the last 24 hours.
    init(
        _ parameters: QueryParameters, _ shown: [Programme], _ regions: RegionTable, of what: String,
        now: UnixMilliseconds
    ) throws(ParameterFault) {
        cells = try CellSelection(parameters, shown, of: what, now: now)
        place = try FigurePlace(parameters, cells, regions)
        area = try place.area
    }

    /// Whether a raw row is in the area and the stratum, by its finest cell and the code of its network type.
    var rowFilter: @Sendable (_ place: () -> Quadkey?, _ networkType: Int64?) -> Bool {
        let area: CellArea? = if case .everywhere = place { nil } else { self.area }
        let stratum = cells.stratum, codes = cells.programme.strata.codes
        return { place, type in
            if let stratum {
                let code = type.flatMap { codes.indices.contains(Int($0)) ? codes[Int($0)] : nil } ?? 0
                guard code == stratum else { return false }
            }
            guard let area else { return true }
            return place().map(area.contains) ?? false
        }
    }
}

/// A metric, and what is told of it.
struct MetricChoice: Sendable {
    /// Names of the parameters.
    static let parameters = ["metric"] + FigureQuery.parameters

    let metric: ProgrammeMetric
    let field: Field?
    let figures: FigureQuery

    init(_ parameters: QueryParameters, _ programme: Programme) throws(ParameterFault) {
        let metrics = HeatmapQuery.metrics(of: programme)
        let name = try parameters.choice("metric", of: metrics.map(\.name))
        metric = name.flatMap { name in metrics.first { $0.name == name } } ?? metrics[0]
        field = programme.field(of: metric)
        figures = try FigureQuery(parameters, metric, field)
    }

    var values: MetricScale { MetricScale(metric, field) }
    /// Stored units per unit.
    var scale: Int64 { field?.scale ?? 1 }
}
