import Models

/// A metric and a bin in 16 bits, as rows are kept in memory while they are folded: in the upper four, the place of the metric
/// among those of its programme.
///
/// Bins of plausible values lie between −156 (dB) and 1 216 (10 Gbit/s); the form holds −512 … 3 583.
package enum SlotCode {
    private static let offset: Int64 = 512
    /// How many metrics a programme can have.
    package static let places = 16

    /// The code of a bin; nil if it is out of the form's range.
    ///
    /// - Parameter place: of the metric, below ``places``.
    @inline(__always)
    package static func code(_ place: UInt16, bin: Int64) -> UInt16? {
        let shifted = bin &+ offset
        guard shifted >= 0 && shifted < 4_096 else { return nil }
        return place << 12 | UInt16(truncatingIfNeeded: shifted)
    }

    /// The place of the metric.
    package static func place(_ code: UInt16) -> Int { Int(code >> 12) }
    /// The bin.
    package static func bin(_ code: UInt16) -> Int32 { Int32(code & 0xfff) - Int32(offset) }

    /// The slot that histograms know; in the same order.
    ///
    /// - Parameter slots: ``CountingRules/slots(of:)``.
    @inline(__always)
    static func slot(_ code: UInt16, _ slots: UnsafeBufferPointer<UInt32>) -> UInt32 {
        slots[Int(code >> 12)] | UInt32(Int32(code & 0xfff) - Int32(offset) + 0x80_0000)
    }
}
