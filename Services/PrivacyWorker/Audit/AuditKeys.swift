internal import Crypto
internal import Foundation
internal import Models
internal import SubjectRights
public import Storage

/// The secrets of the audit log, in `keys/`: one that signs its head, one that hides whom an entry is about.
public struct AuditKeys: Sendable {
    private let signing: Curve25519.Signing.PrivateKey
    private let subjects: SymmetricKey

    static let signingName = "privacy-worker.audit.key"
    static let subjectsName = "privacy-worker.subjects.key"

    /// Reads the keys, or makes them.
    ///
    /// - Throws: `StorageError` `badKey` naming the file.
    public init(_ store: KeyStore) throws {
        try self.init(signing: Self.secret(Self.signingName, store), subjects: Self.secret(Self.subjectsName, store))
    }

    /// - Parameters: 32 bytes each.
    init(signing: [UInt8], subjects: [UInt8]) throws {
        self.signing = try Curve25519.Signing.PrivateKey(rawRepresentation: signing)
        self.subjects = SymmetricKey(data: subjects)
    }

    /// The head of a log, signed.
    func head(after entry: AuditEntry) throws -> AuditHead {
        var head = AuditHead(count: entry.number, hash: entry.hash, at: entry.at, signature: [])
        head.signature = Array(try signing.signature(for: head.signed))
        return head
    }

    /// What others need to verify heads.
    func document(since now: UnixMilliseconds) -> VerificationKeyDocument {
        VerificationKeyDocument(
            publicKey: Array(signing.publicKey.rawRepresentation), service: "privacy-worker", use: .auditHeads,
            since: now)
    }

    func hasSigned(_ head: AuditHead) -> Bool {
        signing.publicKey.isValidSignature(head.signature, for: head.signed)
    }

    /// HMAC-SHA-256 of a device's ordinal (u64, big-endian).
    func subject(device: Int64) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(
                for: withUnsafeBytes(of: device.bigEndian, Array.init), using: subjects))
    }

    private static func secret(_ name: String, _ store: KeyStore) throws -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let key = try store.secret(name) { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        guard key.count == 32 else {
            throw StorageError(.badKey, path: store.path(name), message: "holds \(key.count) bytes instead of 32")
        }
        return key
    }
}
