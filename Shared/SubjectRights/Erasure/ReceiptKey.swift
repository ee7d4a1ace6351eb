internal import Crypto
internal import Foundation
public import Models
public import Storage

/// The key by which a service signs its receipts, `keys/<service>.receipt.key`.
public struct ReceiptKey: Sendable {
    /// Name of the service.
    public let service: String
    private let key: Curve25519.Signing.PrivateKey

    /// Reads the key of a service, or makes it.
    ///
    /// - Throws: `StorageError` `badKey` naming the file.
    public init(_ store: KeyStore, service: String) throws {
        let name = "\(service).receipt.key"
        let secret = try store.secret(name) { Array(Curve25519.Signing.PrivateKey().rawRepresentation) }
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret) else {
            throw StorageError(.badKey, path: store.path(name), message: "holds \(secret.count) bytes instead of 32")
        }
        self.init(key, service: service)
    }

    /// - Parameter secret: 32 bytes; traps on any other number.
    public init(secret: [UInt8], service: String) {
        self.init(try! Curve25519.Signing.PrivateKey(rawRepresentation: secret), service: service)
    }

    private init(_ key: Curve25519.Signing.PrivateKey, service: String) {
        self.key = key
        self.service = service
    }

    /// First 16 hexadecimal digits of the SHA-256 of the raw public key.
    public var id: String { Self.id(of: Array(key.publicKey.rawRepresentation)) }

    /// What others need to verify the signatures.
    public func document(since now: UnixMilliseconds) -> VerificationKeyDocument {
        VerificationKeyDocument(
            publicKey: Array(key.publicKey.rawRepresentation), service: service, use: .erasureReceipts, since: now)
    }

    /// The receipt with its signature.
    public func sign(_ receipt: ErasureReceiptDocument) throws -> ErasureReceiptDocument {
        var receipt = receipt
        receipt.signature = Hexadecimal.text(try key.signature(for: receipt.signed))
        return receipt
    }

    static func id(of publicKey: [UInt8]) -> String {
        String(Hexadecimal.text(SHA256.hash(data: publicKey)).prefix(16))
    }
}

extension VerificationKeyDocument {
    /// - Parameter publicKey: 32 bytes, Ed25519.
    public init(publicKey: [UInt8], service: String, use: Use, since: UnixMilliseconds) {
        self.init(
            keyID: ReceiptKey.id(of: publicKey), service: service, use: use, algorithm: "Ed25519",
            publicKey: Hexadecimal.text(publicKey), since: since)
    }

    /// True if the key signed the receipt: of that service, for that use, and its id is that of the key.
    public func verifies(_ receipt: ErasureReceiptDocument) -> Bool {
        guard service == receipt.service, keyID == receipt.keyID, let signature = Hexadecimal.bytes(receipt.signature)
        else { return false }
        return verifies(signature, over: Array(receipt.signed), for: .erasureReceipts)
    }

    /// True if the key signed the text, for that use, and its id is that of the key.
    public func verifies(_ text: CompactJWS, for use: Use) -> Bool {
        keyID == text.keyID && verifies(text.signature, over: text.signed, for: use)
    }

    private func verifies(_ signature: [UInt8], over bytes: [UInt8], for use: Use) -> Bool {
        guard self.use == use, algorithm == "Ed25519", let raw = Hexadecimal.bytes(publicKey),
            ReceiptKey.id(of: raw) == keyID,
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw)
        else { return false }
        return key.isValidSignature(signature, for: bytes)
    }
}
