internal import Models

/// Makes secrets: tokens, names of sessions.
enum Secret {
    /// 256 bits from the system's randomness.
    static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
    }

    /// 256 random bits as 64 hexadecimal digits.
    static func text() -> String { Hexadecimal.text(random()) }
}
