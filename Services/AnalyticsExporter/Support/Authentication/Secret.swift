internal import Crypto
internal import Models

/// Makes secrets: tokens, names of sessions.
package enum Secret {
    /// 256 bits from the system's randomness.
    package static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
    }

    /// 128 random bits as 32 hexadecimal digits: names that nobody guesses.
    package static func identifier() -> String { String(text().prefix(32)) }

    /// 256 random bits as 64 hexadecimal digits.
    package static func text() -> String { Hexadecimal.text(random()) }
}

/// SHA-256 of a secret of 256 random bits, the only form in which one is kept.
///
/// Secrets are looked up by it, so the time that takes tells nothing about the secret.
package struct SecretDigest: Sendable, Hashable {
    let bytes: [UInt8]

    package init(of secret: some StringProtocol) { bytes = Array(SHA256.hash(data: Array(secret.utf8))) }

    /// A digest that was stored.
    init(stored bytes: [UInt8]) { self.bytes = bytes }
}
