/// Reads encoded histograms bin by bin, whatever the bytes are; the layout is drawn at ``CellHistograms/encoded()``.
public struct CellHistogramReader {
    private var pointer: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private var last: UInt32 = 0
    private var hasMetric = false
    /// False once bytes were met that no histogram has.
    public private(set) var isSound = true

    /// A reader of bytes that outlive it; nil unless they begin with the version of the bin tables.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress, base.pointee == UInt8(BinTable.version) else {
            return nil
        }
        pointer = base + 1
        end = base + bytes.count
    }

    /// The next bin; nil at the end or, with ``isSound`` false, at bytes that make no sense.
    @inline(__always)
    public mutating func next() -> CellHistograms.Entry? {
        guard pointer < end, isSound else { return nil }
        let slot = pointer.pointee == 0 ? firstSlot() : nextSlot()
        guard let slot, !hasMetric || slot > last, let count = varint(), count > 0, count <= UInt64(Int64.max) else {
            isSound = false
            return nil
        }
        last = slot
        hasMetric = true
        return CellHistograms.Entry(slot: slot, count: Int64(count))
    }

    private mutating func firstSlot() -> UInt32? {
        pointer += 1
        guard pointer < end, Metric(rawValue: pointer.pointee) != nil else { return nil }
        let metric = UInt32(pointer.pointee)
        pointer += 1
        guard let number = varint(), number < 1 << 24 else { return nil }
        let bin = Int32(truncatingIfNeeded: number >> 1) ^ -Int32(truncatingIfNeeded: number & 1)
        return metric << 24 | UInt32(bin + 0x80_0000)
    }

    @inline(__always)
    private mutating func nextSlot() -> UInt32? {
        guard hasMetric, let gap = varint(), gap < 1 << 24 else { return nil }
        let slot = last + UInt32(gap)
        return slot >> 24 == last >> 24 ? slot : nil
    }

    @inline(__always)
    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while pointer < end {
            let byte = pointer.pointee
            pointer += 1
            if shift == 63 && byte > 1 { return nil }
            value |= UInt64(byte & 0x7f) &<< shift
            if byte < 0x80 { return value }
            shift &+= 7
        }
        return nil
    }
}
