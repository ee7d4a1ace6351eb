import Models

/// A metric and a bin in 16 bits, as rows are kept in memory while they are folded: metric in the upper four.
///
/// Bins of plausible values lie between −156 (dB) and 1 216 (10 Gbit/s); the form holds −512 … 3 583.
enum SlotCode {
    private static let offset: Int64 = 512

    /// The code of a bin; nil if it is out of the form's range.
    @inline(__always)
    static func code(_ metric: UInt16, bin: Int64) -> UInt16? {
        let shifted = bin &+ offset
        guard shifted >= 0 && shifted < 4_096 else { return nil }
        return metric << 12 | UInt16(truncatingIfNeeded: shifted)
    }

    /// The slot that histograms know; in the same order.
    @inline(__always)
    static func slot(_ code: UInt16) -> UInt32 {
        UInt32(code >> 12) << 24 | UInt32(Int32(code & 0xfff) - Int32(offset) + 0x80_0000)
    }
}
