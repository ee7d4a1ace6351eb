internal import Models

/// One cell of the map while buckets, networks, technologies and populations are added up in it.
struct HeatmapCell {
    /// Bins of the metric with their counts; one may be there several times.
    private var bins: [CellHistograms.Entry] = []
    /// With so many, those that are there several times are added up.
    private var mostBins = 256
    /// Values of the metric.
    private(set) var samples: Int64 = 0
    /// Stored cells that were added, those that are the same but for their population counted as one.
    private var parts = 0
    /// Devices of the last of them.
    private var lastDevices: Int64 = 0
    /// The most devices that a stored cell had.
    private(set) var mostDevices: Int64 = 0

    init() {}

    /// Begins to add a stored cell of so many devices.
    ///
    /// - Parameter isOther: whether it is the other population of the cell that was added last.
    mutating func add(devices: Int64, isOther: Bool) {
        if isOther {
            lastDevices += devices
        } else {
            parts += 1
            lastDevices = devices
        }
        mostDevices = max(mostDevices, devices)
    }

    /// Adds the bins of a metric (its number) from encoded histograms; false if the bytes are not histograms.
    mutating func add(_ histograms: UnsafeRawBufferPointer, of metric: UInt8) -> Bool {
        guard var reader = CellHistogramReader(histograms) else { return false }
        while let entry = reader.next(), entry.metric <= metric {
            guard entry.metric == metric else { continue }
            bins.append(entry)
            samples += entry.count
        }
        if bins.count >= mostBins { compact() }
        return reader.isSound
    }

    /// Adds up what falls into one bin, so that a year takes no more memory than there are bins.
    private mutating func compact() {
        var kept: [CellHistograms.Entry] = []
        for entry in bins.sorted(by: { $0.slot < $1.slot }) {
            if kept.last?.slot == entry.slot {
                kept[kept.count - 1].count += entry.count
            } else {
                kept.append(entry)
            }
        }
        bins = kept
        mostBins = max(256, 2 * kept.count)
    }

    /// Devices, where that is known: with one stored cell only. Devices of several may be the same ones. Of a cell's two
    /// populations it is the sum, in which a device counts twice that changed its consent within the bucket.
    var devices: Int64? { parts == 1 ? lastDevices : nil }

    /// Fewer devices than these do not speak for a place: what one phone measured paints none.
    static let fewDevices: Int64 = 5

    /// Whether its figures rest on so few devices, or may, as nobody knows how many there are.
    var isDominated: Bool { (devices ?? mostDevices) < Self.fewDevices }

    /// How many values each bin has, ascending.
    var counts: [(bin: Int32, count: Int64)] {
        var counts: [(bin: Int32, count: Int64)] = []
        for entry in bins.sorted(by: { $0.slot < $1.slot }) {
            if counts.last?.bin == entry.bin {
                counts[counts.count - 1].count += entry.count
            } else {
                counts.append((entry.bin, entry.count))
            }
        }
        return counts
    }

    /// The values at ranks ⌈samples·percent/100⌉, in stored units, each that of its bin (``BinTable/value(of:)``). Nil without
    /// samples.
    ///
    /// - Parameters:
    ///   - percents: ascending.
    ///   - range: of the field: where a bin reaches beyond it, its end stands for the bin.
    func quantiles(_ percents: [Int64], table: BinTable, range: ClosedRange<Int64>) -> [Int64]? {
        guard samples > 0 else { return nil }
        var ranks = percents.map { ($0 * samples + 99) / 100 }[...]
        var values: [Int64] = []
        var below: Int64 = 0
        for entry in bins.sorted(by: { $0.slot < $1.slot }) {
            below += entry.count
            while let rank = ranks.first, rank <= below {
                values.append(min(max(table.value(of: entry.bin), range.lowerBound), range.upperBound))
                ranks.removeFirst()
            }
        }
        return values
    }
}
