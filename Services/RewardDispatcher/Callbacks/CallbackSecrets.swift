internal import Crypto
internal import Models
public import Storage

/// How callbacks of providers are recognised: by a secret for each in the path that it calls, made of
/// `keys/reward-callback.key` (0600).
///
///     first 16 bytes of HMAC-SHA-256(key, "nkul-callback-1" │ provider), in hexadecimal
///
/// To renew them: stop the dispatcher, remove the file, start it, and give providers the new path. A value, usable from any thread.
public struct CallbackSecrets: Sendable {
    private let key: [UInt8]

    /// Reads the key, or makes it.
    ///
    /// - Throws: `StorageError` `badKey` if the file is not 32 bytes long.
    public init(_ store: KeyStore) throws {
        let name = "reward-callback.key"
        var random = SystemRandomNumberGenerator()
        key = try store.secret(name) { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) } }
        guard key.count == 32 else {
            throw StorageError(.badKey, path: store.path(name), message: "holds \(key.count) bytes instead of 32")
        }
    }

    /// - Parameter key: 32 bytes.
    public init(key: [UInt8]) { self.key = key }

    /// Where a provider calls back at the phones' API.
    public func path(of provider: String) -> String {
        "\(CallbackSecretDocument.path(of: provider))/\(secret(provider))"
    }

    /// What is told of a provider's secret.
    func document(of provider: String) -> CallbackSecretDocument {
        CallbackSecretDocument(
            provider: provider, sha256: Hexadecimal.text(SHA256.hash(data: Array(secret(provider).utf8))))
    }

    private func secret(_ provider: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("nkul-callback-1\(provider)".utf8), using: SymmetricKey(data: key))
        return Hexadecimal.text(Array(code).prefix(16))
    }
}
