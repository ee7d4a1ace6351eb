/// Sixteen bytes that name a record: a UUID of the phone's, or one derived from its device and sequence number.
public struct RecordIdentifier: Sendable, Hashable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The UUIDv8 (RFC 9562) of a device's own counter: unique by construction, and costs nothing to store.
    ///
    ///     device, 48 bits │ 1000 │ 0, 12 bits │ 10 │ seq, 62 bits
    public init(device: UInt64, seq: Int64) {
        high = device << 16 | 0x8000
        low = 0x8000_0000_0000_0000 | UInt64(bitPattern: seq) & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// Reads the 36 characters of a UUID in any case.
    public init?(text: String) {
        var high: UInt64 = 0, low: UInt64 = 0, digits = 0
        guard text.utf8.count == 36 else { return nil }
        for (place, byte) in text.utf8.enumerated() {
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard byte == 45 else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case 48...57: digit = byte - 48
            case 65...70: digit = byte - 55
            case 97...102: digit = byte - 87
            default: return nil
            }
            if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            digits += 1
        }
        self.high = high
        self.low = low
    }

    /// Lower-case text with hyphens.
    public var text: String {
        let digits = Array("0123456789abcdef".utf8)
        var out: [UInt8] = []
        out.reserveCapacity(36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { out.append(45) }
            let word = place < 16 ? high : low
            out.append(digits[Int(word >> UInt64(60 - 4 * (place & 15)) & 15)])
        }
        return String(decoding: out, as: UTF8.self)
    }
}

/// Numbers of those whom data belong to: devices and members, a person over several devices.
///
/// Rows, blocks, statistics, consents, rewards and erasures name their owner by such a number, in 32 bits where sets of owners are
/// kept. No service knows members yet, but none of these formats has to change for them.
public enum OwnerOrdinal {
    /// Given out in ascending order and never again.
    public static let devices: ClosedRange<UInt64> = 1...0x7fff_ffff
    /// Reserved for members.
    public static let members: ClosedRange<UInt64> = 0x8000_0000...0xffff_ffff
}
