internal import Models
internal import Statistics

/// What is published of one metric of stored cells that were added up (``MetricSum``): any quantile and share, each with its 95 %
/// interval, and how far they can be relied on.
struct CellFigures {
    /// Of cells with fewer devices than these it is told that they hardly speak for a place.
    static let fewDevices: Int64 = 10

    /// How far figures can be relied on.
    enum State: String, CaseIterable {
        case ok
        /// One device may have more than a fifth: there are fewer than five, or more than are kept apart and an uneven one.
        case dominated
        /// Fewer than ``fewDevices`` devices, or too few to say how sure the figure is.
        case low_density
        case no_data
    }

    /// Where the number of effective devices is from.
    enum Method: String, CaseIterable {
        /// The samples of each device.
        case exact
        /// A lower bound: several stored cells were added up, or there are more devices than are kept apart.
        case bound
        /// An older program made the cells, and nothing is known.
        case unknown
    }

    /// Values of the metric.
    let samples: Int64
    /// Devices with values; nil if that is not known.
    let devices: Int64?
    let devicesAtLeast: Int64
    /// At least so many independent devices would be as sure; nil if that is not known.
    let effectiveDevices: Double?
    let method: Method
    /// Whether one device may have more than a fifth.
    let isUneven: Bool
    /// What samples weigh after the cap.
    let bins: WeightedBins

    var state: State {
        if samples == 0 { return .no_data }
        if isUneven || devicesAtLeast < Int64(DeviceCap.devices) { return .dominated }
        let isSure = effectiveDevices.map { $0 >= Double(OrderInterval.fewest) } ?? true
        return isSure && devicesAtLeast >= Self.fewDevices ? .ok : .low_density
    }

    /// The bin of a quantile; nil without samples.
    ///
    /// - Parameter permille: in thousandths.
    func quantile(permille: Int) -> Int32? { bins.quantile(permille: permille) }

    /// The bins between which a quantile lies with 95 %; nil where devices are too few to say.
    func interval(permille: Int) -> ClosedRange<Int32>? {
        guard let effectiveDevices, let interval = OrderInterval(count: effectiveDevices, permille: permille) else {
            return nil
        }
        return bins.ends(of: interval)
    }

    /// The share of the values in bins below one, 0…1; nil without samples.
    func share(below bin: Int32) -> Double? {
        bins.total > 0 ? Double(bins.weight(below: bin)) / Double(bins.total) : nil
    }

    /// Between what a share lies with 95 %; nil where devices are too few to say.
    func interval(ofShare share: Double) -> ClosedRange<Double>? {
        effectiveDevices.flatMap { ShareInterval.wilson(share, count: $0.rounded(.down)) }
    }
}

/// Bins of a metric as values of its field, in stored units. Where a bin reaches beyond what is plausible, the field's end stands for it.
struct MetricScale {
    let table: BinTable
    let range: ClosedRange<Int64>

    /// - Parameter field: nil: nothing is known of it.
    init(_ metric: ProgrammeMetric, _ field: Field?) {
        table = metric.bins
        range = field?.range ?? .min ... .max
    }

    /// The value that stands for a bin.
    func value(of bin: Int32) -> Int64 { clamped(table.value(of: bin)) }

    /// The values from the least of a bin to the greatest of another.
    func values(of bins: ClosedRange<Int32>) -> ClosedRange<Int64> {
        clamped(table.values(in: bins.lowerBound).lowerBound)...clamped(table.values(in: bins.upperBound).upperBound)
    }

    private func clamped(_ value: Int64) -> Int64 { min(max(value, range.lowerBound), range.upperBound) }
}
