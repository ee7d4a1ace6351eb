internal import Crypto
package import ExporterOperations
internal import Foundation
package import Models
internal import ServiceKit
package import Storage
internal import SubjectRights

/// The key by which lists of exports are signed, `keys/analytics-exporter.exports.key`.
package struct ExportKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    private static let name = "analytics-exporter.exports.key"

    /// Reads the key, or makes it.
    ///
    /// - Throws: `StorageError` `badKey` naming the file.
    package init(_ store: KeyStore) throws {
        let secret = try store.secret(Self.name) { Array(Curve25519.Signing.PrivateKey().rawRepresentation) }
        do { try self.init(secret: secret) } catch {
            throw StorageError(
                .badKey, path: store.path(Self.name), message: "holds \(secret.count) bytes instead of 32")
        }
    }

    /// - Parameter secret: 32 bytes.
    init(secret: [UInt8]) throws { key = try Curve25519.Signing.PrivateKey(rawRepresentation: secret) }

    package var id: String { document(since: 0).keyID }

    /// What others need to verify signatures, for the lane `operations`.
    package func record(since now: UnixMilliseconds) throws -> OperationRecord {
        try OperationRecord(.verificationKey, key: id, document(since: now))
    }

    /// A text with its signature.
    package func signed(_ payload: [UInt8]) throws -> CompactJWS {
        try CompactJWS(payload, keyID: id) { try key.signature(for: Data($0)) }
    }

    private func document(since now: UnixMilliseconds) -> VerificationKeyDocument {
        VerificationKeyDocument(
            publicKey: Array(key.publicKey.rawRepresentation), service: ServiceName.analyticsExporter.rawValue,
            use: .exports, since: now)
    }
}
