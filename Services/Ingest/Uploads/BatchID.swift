/// Names an upload: the same for every repetition of it, hash(device, kind, idempotency key or body).
public struct BatchID: Sendable, Hashable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 32 hexadecimal digits.
    public var text: String { Self.hex(high) + Self.hex(low) }

    private static func hex(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
