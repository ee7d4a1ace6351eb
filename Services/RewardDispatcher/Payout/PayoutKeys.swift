internal import Crypto
internal import Foundation
public import Models
public import Storage

/// The secrets of payout numbers, in `keys/` (0600): `reward-payout.key`, to which numbers are sealed at the edge,
/// `reward-payout-old.key`, the one before it while numbers sealed to it may still come, and `reward-payout-store.key`, by
/// which they are kept and compared here.
///
/// To renew the first: stop the dispatcher, rename `reward-payout.key` to `reward-payout-old.key`, start it. A value, usable
/// from any thread.
public struct PayoutKeys: Sendable {
    /// What is published: to whom numbers are sealed from now on.
    public let document: PayoutKeyDocument
    /// Private keys by the id of their public key.
    private let keys: [String: [UInt8]]
    private let storing: BlockSealer
    private let comparing: [UInt8]

    /// Reads the keys, and makes those that are missing.
    ///
    /// - Throws: `StorageError` naming a file that is no key.
    public init(_ store: KeyStore) throws {
        let current = try store.secret("reward-payout.key", make: RecipientSeal.newKey)
        let old = try store.existing("reward-payout-old.key")
        var random = SystemRandomNumberGenerator()
        let secret = try store.secret("reward-payout-store.key") {
            (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        }
        try self.init(current: current, old: old, storing: secret)
    }

    /// - Parameters:
    ///   - current: to which numbers are sealed, a private key of P-256.
    ///   - old: the one before it.
    ///   - secret: by which numbers are kept and compared, 32 bytes.
    /// - Throws: `StorageError` `badKey`.
    public init(current: [UInt8], old: [UInt8]? = nil, storing secret: [UInt8]) throws {
        document = try Self.document(of: current)
        var keys = [document.id: current]
        if let old { keys[try Self.document(of: old).id] = old }
        self.keys = keys
        storing = BlockSealer(key: Self.derived(secret, "nkul-payout-store-1"))
        comparing = Self.derived(secret, "nkul-payout-compare-1")
    }

    /// Opens what the edge has sealed; nil if it was not sealed to a key that is known, for this device.
    func open(_ document: PayoutDocument, of device: UInt64) -> PayoutNumber? {
        guard let key = document.key.flatMap({ keys[$0] }), let text = document.sealed,
            let sealed = Data(base64Encoded: text),
            let clear = try? RecipientSeal.open(
                [UInt8](sealed), with: key, purpose: PayoutDocument.purpose,
                additional: PayoutDocument.additional(device: device))
        else { return nil }
        return Self.number(clear)
    }

    /// What is kept of a number: readable with `reward-payout-store.key` only, and for this device only.
    func keep(_ number: PayoutNumber, of device: UInt64) throws -> [UInt8] {
        try storing.seal(
            [UInt8](try JSONEncoder().encode(number)), additional: PayoutDocument.additional(device: device))
    }

    /// The number that was kept.
    ///
    /// - Throws: `StorageError` `notAuthentic` if it was not kept with this key for this device.
    public func number(_ kept: [UInt8], of device: UInt64) throws -> PayoutNumber? {
        Self.number(
            try storing.open(
                kept, additional: PayoutDocument.additional(device: device), place: "the payout number of a device"))
    }

    /// What numbers are compared by: HMAC-SHA-256 of the phone number.
    func mark(_ number: PayoutNumber) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(number.phone.utf8), using: SymmetricKey(data: comparing)))
    }

    private static func number(_ clear: [UInt8]) -> PayoutNumber? {
        guard let read = try? JSONDecoder().decode(PayoutNumber.self, from: Data(clear)) else { return nil }
        return PayoutNumber(phone: read.phone, operator: read.operator)
    }

    private static func document(of key: [UInt8]) throws -> PayoutKeyDocument {
        let point = try RecipientSeal.publicKey(of: key)
        let id = SHA256.hash(data: point).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return PayoutKeyDocument(id: id, publicKey: Data(point).base64EncodedString())
    }

    private static func derived(_ secret: [UInt8], _ purpose: String) -> [UInt8] {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data(purpose.utf8), outputByteCount: 32
        ).withUnsafeBytes { Array($0) }
    }
}
