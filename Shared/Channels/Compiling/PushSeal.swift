internal import Foundation
public import Models
internal import ServiceKit
internal import Storage

/// Carries subscriptions of subscribers' browsers from ingest to the notifier: on lanes, in journals and in its database only the
/// notifier can read them.
public enum PushSeal {
    static let purpose = "nkul-push-1"
    /// Clear bytes are filled up to a multiple of this, so that their number does not name the push service.
    private static let grain = 512

    /// Seals a subscription for one device.
    ///
    /// - Throws: `StorageError` if nothing can be sealed to the key.
    public static func seal(
        _ subscription: ChannelSecrets.PushSubscription, of device: UInt64, to key: ChannelKeyDocument
    ) throws -> PushDocument {
        let document: JSONValue = [
            "endpoint": .string(subscription.endpoint.text), "p256dh": .string(Base64URL.text(subscription.publicKey)),
            "auth": .string(Base64URL.text(subscription.authentication)),
        ]
        var clear = Array(document.text.utf8)
        clear += [UInt8](repeating: UInt8(ascii: " "), count: (grain - clear.count % grain) % grain)
        let sealed = try RecipientSeal.seal(
            clear, to: [UInt8](Data(base64Encoded: key.publicKey) ?? Data()), purpose: purpose,
            additional: binding(device))
        return PushDocument(key: key.id, sealed: Data(sealed).base64EncodedString())
    }

    /// The subscription; nil if it is sealed to another key or for another device, or leads where channels may not.
    public static func open(
        _ document: PushDocument, of device: UInt64, _ policy: AddressPolicy,
        with privateKey: (_ id: String) -> [UInt8]?
    ) -> ChannelSecrets.PushSubscription? {
        guard let key = document.key.flatMap(privateKey),
            let sealed = document.sealed.flatMap({ Data(base64Encoded: $0) }),
            let clear = try? RecipientSeal.open(
                [UInt8](sealed), with: key, purpose: purpose, additional: binding(device)),
            let value = try? JSONValue(bytes: clear)
        else { return nil }
        return try? ChannelSecrets(compiling: value, of: "webpush", policy).subscription
    }

    private static func binding(_ device: UInt64) -> [UInt8] { withUnsafeBytes(of: device.bigEndian) { Array($0) } }
}
