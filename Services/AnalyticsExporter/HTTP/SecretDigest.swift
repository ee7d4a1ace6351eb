internal import Crypto

/// SHA-256 of a secret, the only form in which it is kept; compared in constant time.
struct SecretDigest: Sendable {
    private let digest: [UInt8]

    init(of secret: some StringProtocol) { digest = Array(SHA256.hash(data: Array(secret.utf8))) }

    /// Whether `secret` is the one; takes the same time for every answer.
    func matches(_ secret: some StringProtocol) -> Bool {
        var difference: UInt8 = 0
        for (known, given) in zip(digest, SHA256.hash(data: Array(secret.utf8))) { difference |= known ^ given }
        return difference == 0
    }
}
