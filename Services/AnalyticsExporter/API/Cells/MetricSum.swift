internal import Models
internal import Statistics

/// Stored cells while one metric of them is added up: buckets, networks, technologies, populations.
///
/// No device is to speak for more than a fifth of a figure. In each stored cell the aggregator has seen to that, if it has at least
/// five devices; but a device may be in several of them. Therefore the *uneven* ones, in which one device may have more than a fifth,
/// count beside the others only as far as the same device, were it the heaviest of all of them, has no more than a fifth of the sum.
struct MetricSum: CellAdding {
    /// Stored cells of one sort.
    struct Part {
        /// Weights as they are in the stored cells.
        var bins = CompactBins()
        /// Σ W_d and the sum of all √(Σ W_d²), of each stored cell.
        var sum: Int64 = 0, roots = 0.0
        /// What a device has at most that is the heaviest of each.
        var most: Int64 = 0

        /// - Parameter entries: the other's bins.
        mutating func add(_ other: Part, _ entries: [(bin: Int32, weight: Int64)]) {
            (sum, most, roots) = (sum + other.sum, most + other.most, roots + other.roots)
            bins.add(entries)
        }
    }

    var even = Part(), uneven = Part()
    /// Values of the metric.
    var samples: Int64 = 0
    /// Stored cells with values, those that are the same but for their population counted as one.
    var parts = 0
    /// Whether the last of them had values.
    var hadValues = false
    /// Devices with values of the last one; nil if that is not known.
    var lastDevices: Int64? = 0
    var atLeast: Int64 = 0
    /// Whether it is known of all stored cells how their samples are spread.
    var isSpreadKnown = true
    var isExact = true
    /// Devices with any row.
    private(set) var senders = Senders()

    init() {}

    /// Adds the values of a metric (its number); false if the bytes are not those of a cell.
    mutating func add(_ cell: StoredCell, of metric: UInt8) -> Bool {
        senders.add(cell.devices, isOther: cell.isOther)
        guard let bins = Self.bins(of: metric, in: cell.histograms) else { return false }
        let count = bins.reduce(0) { $0 + $1.count }
        defer { hadValues = count > 0 || (cell.isOther && hadValues) }
        guard count > 0 else { return true }
        do {
            let spread = try DeviceSpread(
                cell.spreads, metric: metric, samples: count, rows: cell.rows, devices: cell.devices)
            samples += count
            if cell.isOther, hadValues { isExact = false }
            addDevices(spread.map(\.devices) ?? cell.devices, isOther: cell.isOther && hadValues)
            atLeast = max(atLeast, spread?.devicesAtLeast ?? cell.devices)
            if let spread { add(bins, spread) } else { addUnknown(bins, count, devices: cell.devices) }
            return true
        } catch { return false }
    }

    private static func bins(of metric: UInt8, in histograms: UnsafeRawBufferPointer) -> [CellHistograms.Entry]? {
        guard var reader = CellHistogramReader(histograms) else { return nil }
        var bins: [CellHistograms.Entry] = []
        while let entry = reader.next(), entry.metric <= metric {
            if entry.metric == metric { bins.append(entry) }
        }
        return reader.isSound ? bins : nil
    }

    private mutating func addDevices(_ devices: Int64?, isOther: Bool) {
        if isOther {
            if let last = lastDevices, let devices { lastDevices = last + devices } else { lastDevices = nil }
        } else {
            parts += 1
            lastDevices = devices
        }
    }

    private mutating func add(_ bins: [CellHistograms.Entry], _ spread: DeviceSpread) {
        if spread.devices == nil || parts > 1 { isExact = false }
        if spread.most <= spread.sum / Int64(DeviceCap.devices) {
            Self.add(bins, spread, to: &even)
        } else {
            Self.add(bins, spread, to: &uneven)
        }
    }

    private static func add(_ bins: [CellHistograms.Entry], _ spread: DeviceSpread, to part: inout Part) {
        part.sum += spread.sum
        part.roots += spread.squares.squareRoot()
        part.most += spread.most
        if let capped = spread.capped {
            part.bins.add(capped, each: 1)
        } else {
            part.bins.add(bins, each: DeviceCap.whole)
        }
    }

    /// Of a cell that an older program made is known only how many devices it has.
    private mutating func addUnknown(_ bins: [CellHistograms.Entry], _ count: Int64, devices: Int64) {
        isSpreadKnown = false
        let isEven = devices >= Int64(DeviceCap.devices)
        let spread = DeviceSpread(
            devices: nil, devicesAtLeast: devices, most: isEven ? count / Int64(DeviceCap.devices) : count, sum: count,
            squares: 0)
        if isEven { Self.add(bins, spread, to: &even) } else { Self.add(bins, spread, to: &uneven) }
    }

    /// What is published of the sum.
    var figures: CellFigures {
        let weight = unevenWeight
        var entries = even.bins.entries
        entries += uneven.bins.entries.map { ($0.bin, Self.part(weight, of: $0.weight)) }
        return CellFigures(
            samples: samples, devices: parts > 1 ? nil : lastDevices, devicesAtLeast: atLeast,
            effectiveDevices: effectiveDevices(unevenWeight: weight),
            method: !isSpreadKnown ? .unknown : isExact ? .exact : .bound, isUneven: even.sum == 0,
            bins: WeightedBins(entries.map { WeightedBins.Entry(bin: $0.bin, weight: $0.weight) }))
    }

    /// By how much a sample of the uneven ones counts, of ``DeviceCap/whole``: with M the most of a device in the even ones, it may
    /// have M + x of their sum S and x, which is a fifth if x = (S − 5·M) ÷ 4. Beside cells of an older program, of which M is not known,
    /// they count whole.
    private var unevenWeight: Int64 {
        guard even.sum > 0, uneven.sum > 0, isSpreadKnown else { return DeviceCap.whole }
        let room = max(0, even.sum - Int64(DeviceCap.devices) * even.most)
        return Int64(min(Int128(DeviceCap.whole), Int128(DeviceCap.whole) * Int128(room) / (4 * Int128(uneven.sum))))
    }

    private static func part(_ part: Int64, of weight: Int64) -> Int64 {
        Int64(Int128(weight) * Int128(part) / Int128(DeviceCap.whole))
    }

    /// At least so many independent devices would be as sure; nil if that is not known.
    ///
    /// W_d of the sum is Σ W_di over its stored cells i, so by Minkowski's inequality √(Σ_d W_d²) ≤ Σ_i √(Σ_d W_di²), whether
    /// devices repeat or not. It is exact if all have the same devices in the same proportions.
    private func effectiveDevices(unevenWeight: Int64) -> Double? {
        guard isSpreadKnown else { return nil }
        let part = Double(unevenWeight) / Double(DeviceCap.whole)
        let sum = Double(even.sum) + part * Double(uneven.sum), roots = even.roots + part * uneven.roots
        guard roots > 0 else { return 0 }
        let count = (sum / roots) * (sum / roots), nearest = count.rounded()
        // Six devices are six, however the root was rounded.
        return abs(count - nearest) < 1e-6 ? nearest : count
    }
}
