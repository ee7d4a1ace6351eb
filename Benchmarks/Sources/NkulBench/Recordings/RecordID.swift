import Models

/// By what phones name their reports.
enum RecordID: String, CaseIterable {
    /// The phone's counter alone; the id is derived and costs nothing.
    case seq
    /// UUIDv7 of the moment of capture, no counter.
    case v7
    /// UUIDv4, no counter.
    case v4

    /// Random bytes of an id, which no encoding can spare: 74 bits of a v7, 122 of a v4.
    var entropyBytes: Double {
        switch self {
        case .seq: 0
        case .v7: 74.0 / 8
        case .v4: 122.0 / 8
        }
    }

    /// The id of a report; nil if it has none.
    func text(capturedAt: UnixMilliseconds, _ random: inout SplitMix64) -> String? {
        switch self {
        case .seq: nil
        case .v7: Self.uuid(UInt64(capturedAt) << 16 | random.next() & 0xFFF, version: 7, random.next())
        case .v4: Self.uuid(random.next(), version: 4, random.next())
        }
    }

    private static func uuid(_ high: UInt64, version: UInt64, _ low: UInt64) -> String {
        let high = high & 0xFFFF_FFFF_FFFF_0FFF | version << 12
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Array(hex(high) + hex(low))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    private static func hex(_ word: UInt64) -> String {
        let text = String(word, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
