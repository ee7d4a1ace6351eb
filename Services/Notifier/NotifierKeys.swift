internal import Channels
internal import Crypto
internal import Foundation
internal import Models
internal import NotifierMessages
internal import Storage

/// The notifier's keys in `keys/` (0600): `channel-secrets.key`, to which secrets of channels are sealed,
/// `channel-secrets-old.key`, the one before it while channels sealed to it are in use, and `vapid.key`, by which push services
/// know this home.
///
/// To renew the first: stop the notifier, rename `channel-secrets.key` to `channel-secrets-old.key`, start it, set the channels again.
struct NotifierKeys: Sendable {
    /// What is published.
    let document: ChannelKeyDocument
    let vapid: VAPIDKey
    private let keys: [String: [UInt8]]

    /// Reads the keys, and makes those that are missing.
    ///
    /// - Throws: `StorageError` naming a file that is no key.
    init(_ store: KeyStore, contact: String) throws {
        try self.init(
            current: store.secret("channel-secrets.key", make: RecipientSeal.newKey),
            old: store.existing("channel-secrets-old.key"), vapid: store.secret("vapid.key", make: VAPIDKey.newKey),
            contact: contact)
    }

    /// - Throws: `StorageError` `badKey`.
    init(current: [UInt8], old: [UInt8]? = nil, vapid: [UInt8], contact: String) throws {
        do { self.vapid = try VAPIDKey(vapid, contact: contact) } catch {
            throw StorageError(.badKey, path: "vapid.key", message: "is no private key of P-256")
        }
        let point = try RecipientSeal.publicKey(of: current)
        document = ChannelKeyDocument(
            id: Self.id(of: point), publicKey: Data(point).base64EncodedString(), vapidKey: self.vapid.publicText)
        var keys = [document.id: current]
        if let old { keys[Self.id(of: try RecipientSeal.publicKey(of: old))] = old }
        self.keys = keys
    }

    /// The private key of an id.
    func privateKey(_ id: String) -> [UInt8]? { keys[id] }

    private static func id(of point: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(data: point).prefix(8)) }
}
