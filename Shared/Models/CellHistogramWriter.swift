/// Writes encoded histograms bin by bin; the layout is drawn at ``CellHistograms/encoded()``.
///
/// Keeps its memory between cells: ``begin()``, then bins ascending, then ``withBytes(_:)`` or ``bytes``.
public struct CellHistogramWriter {
    private var storage: [UInt8]
    private var length = 1
    private var last: UInt32 = 0

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

    /// Makes room for bins that come without looking for it: as many as `bytes` of encoded histograms hold and `entries`
    /// more.
    mutating func reserve(bytes: Int, entries: Int) {
        let needed = length + bytes + CellHistogramWriter.longestBin * (entries + 1)
        if storage.count < needed {
            storage.append(contentsOf: repeatElement(0, count: max(needed, 2 * storage.count) - storage.count))
        }
    }

    /// Adds a bin above the last one, with a count above zero.
    @inline(__always)
    public mutating func append(_ entry: CellHistograms.Entry) {
        reserve(bytes: 0, entries: 1)
        appendReserved(entry)
    }

    /// Adds a bin for which there is room.
    @inline(__always)
    mutating func appendReserved(_ entry: CellHistograms.Entry) {
        let first = last, length = length
        self.length = storage.withUnsafeMutableBufferPointer { bytes in
            var pointer = bytes.baseAddress! + length
            let count = UInt64(entry.count)
            if first != 0 && entry.slot >> 24 == first >> 24 {
                CellHistogramWriter.write(gap: UInt64(entry.slot - first), count: count, at: &pointer)
            } else {
                pointer[0] = 0
                pointer[1] = entry.metric
                pointer += 2
                let bin = entry.bin
                CellHistogramWriter.write(UInt64(UInt32(bitPattern: (bin << 1) ^ (bin >> 31))), at: &pointer)
                CellHistogramWriter.write(count, at: &pointer)
            }
            return pointer - bytes.baseAddress!
        }
        last = entry.slot
    }

    @inline(__always)
    private static func write(gap: UInt64, count: UInt64, at pointer: inout UnsafeMutablePointer<UInt8>) {
        let long = CellHistograms.longForm
        pointer.pointee = UInt8(truncatingIfNeeded: min(gap, long) << 4 | min(count, long))
        pointer += 1
        if gap >= long { write(gap - long, at: &pointer) }
        if count >= long { write(count - long, at: &pointer) }
    }

    /// Most bytes that one more bin can take: mark, metric, bin and count (16), and what it makes its neighbour longer.
    private static let longestBin = 20

    @inline(__always)
    private static func write(_ value: UInt64, at pointer: inout UnsafeMutablePointer<UInt8>) {
        var rest = value
        while rest >= 0x80 {
            pointer.pointee = UInt8(truncatingIfNeeded: rest) | 0x80
            pointer += 1
            rest &>>= 7
        }
        pointer.pointee = UInt8(truncatingIfNeeded: rest)
        pointer += 1
    }
}
