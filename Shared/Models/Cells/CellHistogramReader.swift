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
        let token = pointer.pointee
        pointer += 1
        let gap = UInt32(token >> 4), count = Int64(token & 15)
        // Most bins: a gap and a count of 1 … 14 within the metric (bins of a metric are far from the next one's).
        if gap &- 1 < 14 && UInt64(bitPattern: count &- 1) < 14 && hasMetric && (last &+ gap) >> 24 == last >> 24 {
            last &+= gap
            return CellHistograms.Entry(slot: last, count: count)
        }
        guard let entry = token == 0 ? first() : long(gap: UInt64(gap), count: UInt64(count)),
            !hasMetric || entry.slot > last
        else {
            isSound = false
            return nil
        }
        last = entry.slot
        hasMetric = true
        return entry
    }

    /// The first bin of a metric, after its mark.
    private mutating func first() -> CellHistograms.Entry? {
        guard let slot = firstSlot(), let count = Varint.read(at: &pointer, end: end) else { return nil }
        return entry(slot, count)
    }

    /// A bin whose gap or count goes on behind the byte.
    private mutating func long(gap: UInt64, count: UInt64) -> CellHistograms.Entry? {
        guard hasMetric, gap > 0, count > 0, let wholeGap = whole(gap), wholeGap < 1 << 24,
            let wholeCount = whole(count)
        else { return nil }
        let slot = last + UInt32(wholeGap)
        return slot >> 24 == last >> 24 ? entry(slot, wholeCount) : nil
    }

    private mutating func whole(_ part: UInt64) -> UInt64? {
        guard part == CellHistograms.longForm else { return part }
        guard let rest = Varint.read(at: &pointer, end: end) else { return nil }
        let (sum, overflow) = rest.addingReportingOverflow(part)
        return overflow ? nil : sum
    }

    private func entry(_ slot: UInt32, _ count: UInt64) -> CellHistograms.Entry? {
        guard count > 0, count <= UInt64(Int64.max) else { return nil }
        return CellHistograms.Entry(slot: slot, count: Int64(count))
    }

    private mutating func firstSlot() -> UInt32? {
        guard pointer < end else { return nil }
        let metric = UInt32(pointer.pointee)
        pointer += 1
        guard let number = Varint.read(at: &pointer, end: end), number < 1 << 24 else { return nil }
        return metric << 24 | UInt32(Varint.unzigzag(number) + 0x80_0000)
    }
}
