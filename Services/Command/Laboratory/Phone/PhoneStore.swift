import Foundation
import ServiceKit
import Storage

/// Where a phone of `nkul phone` keeps its store, and the keys that a real phone's key store would keep.
struct PhoneStore {
    let path: String
    let key: [UInt8]
    let signingKey: PhoneKey

    /// Makes directory and keys if they are missing.
    ///
    /// - Throws: `StorageError` naming the file, ``ServiceError`` for a key of another length or kind.
    init(path: String) throws {
        self.path = path
        let url = URL(fileURLWithPath: path)
        let keys = try Self.directory(of: url)
        let name = url.lastPathComponent + ".key"
        var random = SystemRandomNumberGenerator()
        key = try keys.secret(name) { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) } }
        guard key.count == 32 else {
            throw ServiceError(.home, "\(keys.path(name)) has \(key.count) bytes instead of 32")
        }
        let signing = url.lastPathComponent + ".p256"
        let bytes = try keys.secret(signing, make: PhoneKey.newBytes)
        guard let signingKey = try? PhoneKey(bytes) else {
            throw ServiceError(.home, "\(keys.path(signing)) is no private key of P-256: 32 bytes")
        }
        self.signingKey = signingKey
    }

    private static func directory(of url: URL) throws -> KeyStore {
        let directory = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: directory.deletingLastPathComponent(), withIntermediateDirectories: true)
        return try KeyStore(directory: directory.path)
    }
}
