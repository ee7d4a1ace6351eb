internal import Crypto
internal import Foundation

/// Seals payloads of blocks at rest by AES-256-GCM.
///
///     sealed = nonce 12 │ ciphertext, as long as the payload │ tag 16
///
/// A value type, usable from any thread. The nonce is random: with one key, up to 2^32 payloads are safe (NIST SP 800-38D).
public struct BlockSealer: Sendable {
    /// Bytes that sealing adds.
    public static let overhead = 28
    /// Which key it is: the first four bytes of the key's SHA-256, never 0 (which means clear).
    public let keyID: UInt32
    private let key: SymmetricKey

    /// A sealer with a key of 32 bytes.
    public init(key: [UInt8]) {
        precondition(key.count == 32, "an AES-256 key has 32 bytes")
        self.key = SymmetricKey(data: key)
        let digest = SHA256.hash(data: key).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        keyID = digest == 0 ? 1 : digest
    }

    /// The sealed form of `clear`, bound to `additional`: it opens only with the same bytes beside it.
    public func seal(_ clear: [UInt8], additional: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(clear, using: key, authenticating: additional)
        return [UInt8](box.combined!)
    }

    /// What was sealed.
    ///
    /// - Throws: ``StorageError`` `notAuthentic` naming `place`, if a byte, the key or `additional` differs.
    public func open(_ sealed: [UInt8], additional: [UInt8], place: @autoclosure () -> String) throws -> [UInt8] {
        do {
            return [UInt8](
                try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: additional))
        } catch {
            throw StorageError(.notAuthentic, path: place(), message: "the sealed payload does not open")
        }
    }
}
