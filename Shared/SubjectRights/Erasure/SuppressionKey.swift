internal import Crypto
internal import Foundation
public import Storage

/// The key under which erased devices and their tokens are remembered: by HMAC-SHA-256, which tells nothing to who has not
/// the key and the id. `keys/ingest.suppression.key`; of the services only ingest has it.
public struct SuppressionKey: Sendable {
    /// Its name among the keys of a home.
    public static let name = "ingest.suppression.key"
    private let key: SymmetricKey

    /// Reads the key, or makes it.
    ///
    /// - Throws: `StorageError` `badKey` naming the file.
    public init(_ store: KeyStore) throws {
        let name = Self.name
        var generator = SystemRandomNumberGenerator()
        let secret = try store.secret(name) { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        guard secret.count == 32 else {
            throw StorageError(.badKey, path: store.path(name), message: "holds \(secret.count) bytes instead of 32")
        }
        self.init(secret: secret)
    }

    public init(secret: [UInt8]) { key = SymmetricKey(data: secret) }

    /// What audit log, orders and receipts call a device, 32 bytes.
    public func mark(ofDevice id: [UInt8]) -> [UInt8] { mark("device", id) }

    /// What an erased device's token is found by, 32 bytes.
    public func mark(ofToken hash: [UInt8]) -> [UInt8] { mark("token", hash) }

    /// What an erased device's upload key is found by, 32 bytes: another than a token's, for a key reads nothing.
    public func mark(ofUploadKey hash: [UInt8]) -> [UInt8] { mark("upload key", hash) }

    private func mark(_ purpose: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("nkul \(purpose) ".utf8) + bytes, using: key))
    }
}
