/// How the samples of one metric of a cell are spread over devices: what a published cell tells besides its histograms, so that
/// figures can be capped and have intervals. n_d are the samples of device d, W_d those by which it counts.
///
/// The bytes of column ``ColumnID/spreads``, all numbers varints:
///
///     exact    1 │ per metric, ascending:  metric u8 │ devices │ T │ most │ squares                           not capped: T is 0
///                                          metric u8 │ devices │ T │ sum │ squares │ bins │ (gap, weight) …   capped
///     bounded  2 │ four times, descending: the most rows of a device │ Σ rows² of devices
///
/// The first gap is the bin, zigzag. A cell of one device, or of as many devices as rows, has no bytes: its spreads follow from that.
public struct DeviceSpread: Sendable, Equatable {
    /// Of cells with more devices nobody keeps apart what each contributed.
    public static let mostApart = 24

    /// Devices with samples; nil if that is not known.
    public var devices: Int64?
    /// There are so many at least.
    public var devicesAtLeast: Int64
    /// No device counts by more samples than these.
    public var most: Int64
    /// Σ W_d.
    public var sum: Int64
    /// Σ W_d², or more; whole as long as it is below 2⁵³.
    public var squares: Double
    /// What the samples of each bin weigh, if the cap takes from some: 2²⁰ each at most, as entries of the metric.
    public var capped: [CellHistograms.Entry]?

    public init(
        devices: Int64?, devicesAtLeast: Int64, most: Int64, sum: Int64, squares: Double,
        capped: [CellHistograms.Entry]? = nil
    ) {
        self.devices = devices
        self.devicesAtLeast = devicesAtLeast
        self.most = most
        self.sum = sum
        self.squares = squares
        self.capped = capped
    }

    /// Of a metric with so many samples in a cell of so many rows and devices; nil if how they are spread is not known, as of
    /// cells that an older program made.
    ///
    /// - Parameter bytes: those of the cell.
    /// - Throws: ``CorruptSpreads`` if the bytes are none.
    public init?(
        _ bytes: UnsafeRawBufferPointer, metric: UInt8, samples: Int64, rows: Int64, devices: Int64
    ) throws(CorruptSpreads) {
        guard samples > 0 else {
            self.init(devices: 0, devicesAtLeast: 0, most: 0, sum: 0, squares: 0)
            return
        }
        if devices == 1 {
            self.init(
                devices: 1, devicesAtLeast: 1, most: samples, sum: samples, squares: Double(samples) * Double(samples))
        } else if devices == rows {
            self.init(devices: samples, devicesAtLeast: samples, most: 1, sum: samples, squares: Double(samples))
        } else if bytes.isEmpty {
            return nil
        } else {
            var reader = SpreadReader(bytes)
            guard let found = reader.spread(of: metric, samples: samples, rows: rows, devices: devices) else {
                throw CorruptSpreads()
            }
            self = found
        }
    }

    /// Of a metric of which is known only how many rows each device has, of which any may have a sample.
    ///
    /// - Parameters:
    ///   - largest: the most rows of a device, four times, descending.
    ///   - squaresOfRows: Σ rows² of all devices.
    init(samples: Int64, rows: Int64, devices: Int64, largest: [Int64], squaresOfRows: Double) {
        // The samples are spread least evenly if the devices with the most rows have as many of them as they can.
        var rest = samples, squares = 0.0, atLeast: Int64 = 0
        for most in largest where rest > 0 {
            let count = min(most, rest)
            squares += Double(count) * Double(count)
            rest -= count
            atLeast += 1
        }
        if rest > 0, let last = largest.last, last > 0 {
            squares += Double(rest) * Double(last)
            atLeast += (rest - 1) / last + 1
        }
        self.init(
            devices: samples == rows ? devices : nil, devicesAtLeast: samples == rows ? devices : atLeast,
            most: min(samples, largest.first ?? samples), sum: samples, squares: min(squares, squaresOfRows))
    }
}

/// Bytes are no spreads.
public struct CorruptSpreads: Error {}

/// Writes the bytes of spreads; they are drawn at ``DeviceSpread``. Keeps its memory.
public struct SpreadWriter {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// Begins with a cell of which nothing needs to be told.
    public mutating func begin() { bytes.removeAll(keepingCapacity: true) }

    /// Adds a metric that is not capped; metrics ascend.
    public mutating func add(metric: UInt8, devices: Int64, most: Int64, squares: Int64) {
        head(metric, devices, threshold: 0)
        append(most)
        append(squares)
    }

    /// Adds a metric that is capped.
    ///
    /// - Parameter bins: what they weigh, ascending.
    public mutating func add(
        metric: UInt8, devices: Int64, threshold: Int64, sum: Int64, squares: Int64,
        bins: [CellHistograms.Entry]
    ) {
        head(metric, devices, threshold: threshold)
        append(sum)
        append(squares)
        append(Int64(bins.count))
        var last: Int32?
        for entry in bins {
            if let last { append(Int64(entry.bin) - Int64(last)) } else { append(zigzag: Int64(entry.bin)) }
            append(entry.count)
            last = entry.bin
        }
    }

    /// Of a cell whose devices are not kept apart by metric.
    ///
    /// - Parameter largest: four, descending.
    public mutating func bound(largest: [Int64], squares: Int64) {
        bytes.append(2)
        for rows in largest { append(rows) }
        append(squares)
    }

    private mutating func head(_ metric: UInt8, _ devices: Int64, threshold: Int64) {
        if bytes.isEmpty { bytes.append(1) }
        bytes.append(metric)
        append(devices)
        append(threshold)
    }

    private mutating func append(_ number: Int64) { Varint.append(UInt64(number), to: &bytes) }
    private mutating func append(zigzag number: Int64) { Varint.append(Varint.zigzag(number), to: &bytes) }
}

/// Reads the bytes of spreads, whatever they are.
private struct SpreadReader {
    private var pointer: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    /// - Parameter bytes: not empty.
    init(_ bytes: UnsafeRawBufferPointer) {
        let bytes = bytes.bindMemory(to: UInt8.self)
        pointer = bytes.baseAddress!
        end = pointer + bytes.count
    }

    mutating func spread(of metric: UInt8, samples: Int64, rows: Int64, devices: Int64) -> DeviceSpread? {
        switch byte() {
        case 1: return exact(metric, samples)
        case 2:
            var largest: [Int64] = []
            for _ in 0..<4 {
                guard let number = number() else { return nil }
                largest.append(number)
            }
            guard let squares = number() else { return nil }
            return DeviceSpread(
                samples: samples, rows: rows, devices: devices, largest: largest, squaresOfRows: Double(squares))
        default: return nil
        }
    }

    private mutating func exact(_ wanted: UInt8, _ samples: Int64) -> DeviceSpread? {
        while let metric = byte() {
            guard let devices = number(), let threshold = number(), let first = number(), let squares = number() else {
                return nil
            }
            if threshold == 0 {
                guard metric == wanted else { continue }
                return DeviceSpread(
                    devices: devices, devicesAtLeast: devices, most: first, sum: samples,
                    squares: Double(squares))
            }
            guard let bins = bins(metric) else { return nil }
            guard metric == wanted else { continue }
            return DeviceSpread(
                devices: devices, devicesAtLeast: devices, most: threshold, sum: first,
                squares: Double(squares), capped: bins)
        }
        return nil
    }

    private mutating func bins(_ metric: UInt8) -> [CellHistograms.Entry]? {
        // A bin takes two bytes at least.
        guard let count = number(), count <= (end - pointer) / 2 else { return nil }
        var bins: [CellHistograms.Entry] = [], last: Int64 = 0
        for index in 0..<count {
            guard let gap = number(), let weight = number() else { return nil }
            let (bin, overflow) =
                index == 0
                ? (Varint.unzigzag(UInt64(gap)), false) : last.addingReportingOverflow(gap)
            guard !overflow, bin.magnitude < 1 << 23 else { return nil }
            bins.append(CellHistograms.Entry(metric: metric, bin: Int32(bin), count: weight))
            last = bin
        }
        return bins
    }

    private mutating func byte() -> UInt8? {
        guard pointer < end else { return nil }
        defer { pointer += 1 }
        return pointer.pointee
    }

    private mutating func number() -> Int64? {
        Varint.read(at: &pointer, end: end).flatMap { Int64(exactly: $0) }
    }
}
