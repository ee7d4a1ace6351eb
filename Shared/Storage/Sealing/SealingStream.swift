internal import Crypto
internal import Foundation

/// Seals a row of chunks so that only the holder of a private key opens them, each at its place and none missing: HPKE as
/// ``RecipientSeal``, one context for all chunks, whose nonces count them.
///
///     sealed chunk = ciphertext, as long as the clear bytes │ tag 16      bound to: number of the chunk 8, big-endian │ 1 if last, else 0
///
/// A value type; confined to one thread at a time.
public struct SealingStream {
    /// Bytes that sealing adds to a chunk.
    public static let overhead = 16
    /// What the recipient needs before the first chunk, 65 bytes.
    public let encapsulatedKey: [UInt8]
    private var sender: HPKE.Sender
    private var number: UInt64 = 0

    /// - Parameters:
    ///   - publicKey: X9.63.
    ///   - purpose: what the chunks are for; they open only for the same purpose.
    /// - Throws: ``StorageError`` `badKey` if the public key is none.
    public init(to publicKey: [UInt8], purpose: String) throws {
        do {
            sender = try HPKE.Sender(
                recipientKey: P256.KeyAgreement.PublicKey(x963Representation: publicKey),
                ciphersuite: RecipientSeal.suite, info: Data(purpose.utf8))
        } catch { throw StorageError(.badKey, path: purpose, message: "nothing can be sealed to the key: \(error)") }
        encapsulatedKey = [UInt8](sender.encapsulatedKey)
    }

    /// The next chunk.
    public mutating func seal(_ clear: [UInt8], isLast: Bool) throws -> [UInt8] {
        defer { number += 1 }
        return [UInt8](try sender.seal(clear, authenticating: Self.binding(number, isLast)))
    }

    /// What chunk `number` is bound to.
    static func binding(_ number: UInt64, _ isLast: Bool) -> Data {
        withUnsafeBytes(of: number.bigEndian) { Data($0) } + [isLast ? 1 : 0]
    }
}

/// Opens what a ``SealingStream`` sealed, chunk by chunk, in its order.
///
/// A value type; confined to one thread at a time.
public struct OpeningStream {
    /// Bytes of the encapsulated key.
    public static let encapsulatedBytes = RecipientSeal.encapsulatedBytes
    private let purpose: String
    private var recipient: HPKE.Recipient
    private var number: UInt64 = 0

    /// - Throws: ``StorageError`` `badKey` if the private key is none, `notAuthentic` if the encapsulated key is none.
    public init(encapsulatedKey: [UInt8], with privateKey: [UInt8], purpose: String) throws {
        let key = try RecipientSeal.key(privateKey)
        self.purpose = purpose
        do {
            recipient = try HPKE.Recipient(
                privateKey: key, ciphersuite: RecipientSeal.suite, info: Data(purpose.utf8),
                encapsulatedKey: Data(encapsulatedKey))
        } catch { throw StorageError(.notAuthentic, path: purpose, message: "the encapsulated key is damaged") }
    }

    /// The next chunk's clear bytes.
    ///
    /// - Throws: ``StorageError`` `notAuthentic` if a byte, the key, the place of the chunk or `isLast` differs. Nothing can be
    ///   opened afterwards.
    public mutating func open(_ sealed: [UInt8], isLast: Bool) throws -> [UInt8] {
        defer { number += 1 }
        do {
            return [UInt8](try recipient.open(Data(sealed), authenticating: SealingStream.binding(number, isLast)))
        } catch { throw StorageError(.notAuthentic, path: purpose, message: "chunk \(number) does not open") }
    }
}
