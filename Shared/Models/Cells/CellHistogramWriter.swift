/// Writes encoded histograms bin by bin; the layout is drawn at ``CellHistograms/encoded()``.
///
/// Keeps its memory between cells: ``begin()``, then bins ascending, then ``withBytes(_:)`` or ``bytes``.
public struct CellHistogramWriter {
    private var storage: [UInt8]
    private var length = 1
    private var last: UInt32 = 0
    /// Memory for bins that are merged.
    private var runs: (stored: [CellHistograms.Entry], sum: [CellHistograms.Entry]) = ([], [])

    /// A writer at the beginning of a cell.
    public init() {
        storage = [UInt8](repeating: 0, count: 256)
        storage[0] = UInt8(BinTable.version)
    }

    /// Starts the next cell.
    public mutating func begin() {
        length = 1
        last = 0
    }

    /// What was written since ``begin()``.
    public var bytes: [UInt8] { Array(storage[..<length]) }

    /// Lends what was written since ``begin()``.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
    }

    /// Gives memory away until ``takeBack(_:_:)``.
    mutating func lendRuns() -> ([CellHistograms.Entry], [CellHistograms.Entry]) {
        defer { runs = ([], []) }
        return runs
    }

    mutating func takeBack(_ stored: [CellHistograms.Entry], _ sum: [CellHistograms.Entry]) { runs = (stored, sum) }

    /// Adds a bin above the last one, with a count above zero.
    public mutating func append(_ entry: CellHistograms.Entry) {
        write(bytes: 0, entries: 1) { $0.append(entry) }
    }

    /// Lends a pen with ink for as many bins as `bytes` of encoded histograms hold and `entries` more.
    @inline(__always)
    mutating func write<Result>(bytes: Int, entries: Int, _ body: (inout Pen) -> Result) -> Result {
        let needed = length + bytes + CellHistogramWriter.longestBin * (entries + 1)
        if storage.count < needed {
            storage.append(contentsOf: repeatElement(0, count: max(needed, 2 * storage.count) - storage.count))
        }
        let length = length, last = last
        return storage.withUnsafeMutableBufferPointer { buffer in
            let start = buffer.baseAddress!
            var pen = Pen(pointer: start + length, last: last)
            defer {
                self.length = pen.pointer - start
                self.last = pen.last
            }
            return body(&pen)
        }
    }

    /// Writes bins into memory that is large enough.
    struct Pen {
        fileprivate var pointer: UnsafeMutablePointer<UInt8>
        fileprivate var last: UInt32

        @inline(__always)
        mutating func append(_ entry: CellHistograms.Entry) {
            let gap = entry.slot &- last, count = UInt64(bitPattern: entry.count)
            if gap < CellHistograms.longForm, count < CellHistograms.longForm, last != 0, (entry.slot ^ last) >> 24 == 0
            {
                pointer.pointee = UInt8(truncatingIfNeeded: UInt64(gap) << 4 | count)
                pointer += 1
            } else {
                appendLong(entry, gap: UInt64(gap), count: count)
            }
            last = entry.slot
        }

        private mutating func appendLong(_ entry: CellHistograms.Entry, gap: UInt64, count: UInt64) {
            if last != 0 && entry.slot >> 24 == last >> 24 {
                let long = CellHistograms.longForm
                pointer.pointee = UInt8(truncatingIfNeeded: min(gap, long) << 4 | min(count, long))
                pointer += 1
                if gap >= long { Varint.write(gap - long, at: &pointer) }
                if count >= long { Varint.write(count - long, at: &pointer) }
            } else {
                pointer[0] = 0
                pointer[1] = entry.metric
                pointer += 2
                Varint.write(Varint.zigzag(Int64(entry.bin)), at: &pointer)
                Varint.write(count, at: &pointer)
            }
        }
    }

    /// Most bytes that one more bin can take: mark, metric, bin and count (16), and what it makes its neighbour longer.
    private static let longestBin = 20
}
