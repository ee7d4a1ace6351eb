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

    /// Adds a bin above the last one, with a count above zero.
    @inline(__always)
    public mutating func append(_ entry: CellHistograms.Entry) {
        if length + 24 > storage.count { storage.append(contentsOf: repeatElement(0, count: storage.count)) }
        let first = last, length = length
        self.length = storage.withUnsafeMutableBufferPointer { bytes in
            var pointer = bytes.baseAddress! + length
            if first != 0 && entry.slot >> 24 == first >> 24 {
                CellHistogramWriter.write(UInt64(entry.slot - first), at: &pointer)
            } else {
                pointer[0] = 0
                pointer[1] = entry.metric
                pointer += 2
                let bin = entry.bin
                CellHistogramWriter.write(UInt64(UInt32(bitPattern: (bin << 1) ^ (bin >> 31))), at: &pointer)
            }
            CellHistogramWriter.write(UInt64(entry.count), at: &pointer)
            return pointer - bytes.baseAddress!
        }
        last = entry.slot
    }

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
