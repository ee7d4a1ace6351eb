internal import Crypto
internal import Foundation

/// Seals bytes so that only the holder of a private key opens them: HPKE (RFC 9180), base mode, with
/// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM.
///
///     sealed = encapsulated key 65 │ ciphertext, as long as the clear bytes │ tag 16
///
/// Stateless, usable from any thread.
public enum RecipientSeal {
    static let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
    /// Bytes of the encapsulated key.
    static let encapsulatedBytes = 65

    /// A new private key, 32 bytes.
    public static func newKey() -> [UInt8] { [UInt8](P256.KeyAgreement.PrivateKey().rawRepresentation) }

    /// The public key of a private one, X9.63.
    ///
    /// - Throws: ``StorageError`` `badKey` if it is no private key.
    public static func publicKey(of privateKey: [UInt8]) throws -> [UInt8] {
        [UInt8](try key(privateKey).publicKey.x963Representation)
    }

    /// - Parameters:
    ///   - publicKey: X9.63.
    ///   - purpose: what the bytes are for; they open only for the same purpose.
    ///   - additional: what they are bound to; they open only with the same bytes beside them.
    /// - Throws: ``StorageError`` `badKey` if the public key is none.
    public static func seal(
        _ clear: [UInt8], to publicKey: [UInt8], purpose: String, additional: [UInt8]
    ) throws -> [UInt8] {
        do {
            var sender = try HPKE.Sender(
                recipientKey: P256.KeyAgreement.PublicKey(x963Representation: publicKey), ciphersuite: suite,
                info: Data(purpose.utf8))
            return [UInt8](sender.encapsulatedKey) + [UInt8](try sender.seal(clear, authenticating: additional))
        } catch { throw StorageError(.badKey, path: purpose, message: "nothing can be sealed to the key: \(error)") }
    }

    /// What was sealed.
    ///
    /// - Throws: ``StorageError`` `notAuthentic` if a byte, the key, the purpose or `additional` differs.
    public static func open(
        _ sealed: [UInt8], with privateKey: [UInt8], purpose: String, additional: [UInt8]
    ) throws -> [UInt8] {
        let key = try key(privateKey)
        do {
            var recipient = try HPKE.Recipient(
                privateKey: key, ciphersuite: suite, info: Data(purpose.utf8),
                encapsulatedKey: Data(sealed.prefix(encapsulatedBytes)))
            return [UInt8](try recipient.open(Data(sealed.dropFirst(encapsulatedBytes)), authenticating: additional))
        } catch { throw StorageError(.notAuthentic, path: purpose, message: "the sealed bytes do not open") }
    }

    static func key(_ bytes: [UInt8]) throws -> P256.KeyAgreement.PrivateKey {
        do { return try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes) } catch {
            throw StorageError(
                .badKey, path: "private key", message: "holds \(bytes.count) bytes that are no key of P-256")
        }
    }
}
