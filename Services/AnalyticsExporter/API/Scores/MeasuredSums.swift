internal import ExporterScores
internal import Models
internal import Statistics

/// Stored cells while the metrics that profiles look at are added up in one pass.
struct MeasuredSums: CellAdding {
    /// By number of the metric: those of mobile networks that phones measure, the first five.
    private var sums: [MetricSum]
    private static let metrics: ClosedRange<UInt8> = 0...4

    init() { sums = Self.metrics.map { _ in MetricSum() } }

    mutating func add(_ cell: StoredCell, of metric: UInt8) -> Bool {
        for number in Self.metrics where !sums[Int(number)].add(cell, of: number) { return false }
        return true
    }

    /// The figures of a metric; nil if profiles do not look at it.
    func figures(_ metric: ProgrammeMetric) -> CellFigures? {
        Self.metrics.contains(metric.number) ? sums[Int(metric.number)].figures : nil
    }
}

/// The devices of a cell, in its stored cell of the most.
struct CellSenders: CellAdding {
    private(set) var atLeast: Int64 = 0

    mutating func add(_ cell: StoredCell, of metric: UInt8) -> Bool {
        atLeast = max(atLeast, cell.devices)
        return true
    }
}

/// What profiles look at, in one network.
struct NetworkMeasurements {
    /// By name of the metric.
    private let figures: [String: (figures: CellFigures, metric: ProgrammeMetric, field: Field?)]

    init(_ sums: MeasuredSums, _ programme: Programme) {
        figures = programme.metrics.reduce(into: [:]) { found, metric in
            guard let figures = sums.figures(metric), figures.samples > 0 else { return }
            found[metric.name] = (figures, metric, programme.field(of: metric))
        }
    }

    /// An indicator in the unit of its metric; nil without values.
    func measured(_ indicator: ScoreIndicator) -> MeasuredIndicator? {
        guard let (figures, metric, field) = figures[indicator.metric] else { return nil }
        let values = MetricScale(metric, field), scale = Double(field?.scale ?? 1)
        let value: Double?
        switch indicator.statistic {
        case .mean: value = figures.bins.mean { Double(values.value(of: $0)) }
        case .quantile(let permille): value = figures.quantile(permille: permille).map { Double(values.value(of: $0)) }
        }
        return value.map { MeasuredIndicator(value: $0 / scale, count: figures.samples) }
    }

    /// Of some metrics, what the one has that has the fewest.
    func fewest(of metrics: some Sequence<String>) -> (devices: Int64, effectiveDevices: Double?) {
        let found = metrics.compactMap { figures[$0]?.figures }
        let known = found.compactMap(\.effectiveDevices)
        return (
            found.map(\.devicesAtLeast).min() ?? 0, known.count == found.count ? known.min() : nil
        )
    }
}
