internal import ExporterStores
internal import ExporterSupport
internal import GRDB
internal import Hummingbird
internal import Models

/// Where figures come from: the cells, and the regions that they can be asked for by.
package struct FigureSource: Sendable {
    let cells: CellSource
    let regions: RegionTable

    package init(_ cells: CellSource, regions: RegionTable) {
        self.cells = cells
        self.regions = regions
    }

    /// Programmes with metrics that have quantiles.
    var programmes: [Programme] { HeatmapQuery.shown(cells.programmes) }

    /// Those among them whose cells are of networks.
    var networkProgrammes: [Programme] { programmes.filter { $0.cellScope == .networks } }

    var cover: BucketCover { BucketCover(zone: cells.zone) }

    /// A reader of the cells that somebody may see.
    ///
    /// - Parameters:
    ///   - scope: what the caller may see at all.
    ///   - networks: what is asked for of that.
    ///   - byMonth: whether months may be put in the place of their days: not where days are told apart.
    func reader(
        _ selection: CellSelection, metric: UInt8, scope: NetworkScope, networks: NetworkScope, byMonth: Bool = false
    ) -> CellReader {
        CellReader(
            query: selection, metric: metric, networks: networks, withUnshared: scope == .everything,
            cellLimit: cells.cellLimit, months: byMonth ? MonthReading(zone: cells.zone) : nil)
    }

    func answer(now: UnixMilliseconds) -> FigureAnswer {
        FigureAnswer(now: now, completeTo: cells.freshness.completeTo(.statistics))
    }

    static func parameters(
        _ request: Request, known: [String], repeated: [String] = []
    ) throws(ParameterFault) -> QueryParameters {
        try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: known,
            repeated: repeated)
    }
}
