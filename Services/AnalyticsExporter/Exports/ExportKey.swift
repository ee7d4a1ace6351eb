internal import Crypto
internal import Erasure
internal import Foundation
internal import Models
internal import ServiceKit
internal import Storage

/// The key by which lists of exports are signed, `keys/analytics-exporter.exports.key`.
struct ExportKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    private static let name = "analytics-exporter.exports.key"

    /// Reads the key, or makes it.
    ///
    /// - Throws: `StorageError` `badKey` naming the file.
    init(_ store: KeyStore) throws {
        let secret = try store.secret(Self.name) { Array(Curve25519.Signing.PrivateKey().rawRepresentation) }
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret) else {
            throw StorageError(
                .badKey, path: store.path(Self.name), message: "holds \(secret.count) bytes instead of 32")
        }
        self.key = key
    }

    var id: String { document(since: 0).keyID }

    /// What others need to verify signatures, for the lane `operations`.
    func record(since now: UnixMilliseconds) throws -> OperationRecord {
        try OperationRecord(.verificationKey, key: id, document(since: now))
    }

    /// A signed text: JWS in compact form (RFC 7515) with Ed25519 (RFC 8037).
    ///
    ///     BASE64URL({"alg":"EdDSA","kid":id,"typ":"JOSE"}) "." BASE64URL(payload) "." BASE64URL(signature over what is before)
    func signed(_ payload: [UInt8]) throws -> String {
        let header = try SortedJSON.bytes(of: ["alg": "EdDSA", "kid": id, "typ": "JOSE"])
        let text = Self.base64URL(header) + "." + Self.base64URL(payload)
        return text + "." + Self.base64URL(try key.signature(for: Data(text.utf8)))
    }

    private func document(since now: UnixMilliseconds) -> VerificationKeyDocument {
        VerificationKeyDocument(
            publicKey: Array(key.publicKey.rawRepresentation), service: ServiceName.analyticsExporter.rawValue,
            use: .exports, since: now)
    }

    private static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
