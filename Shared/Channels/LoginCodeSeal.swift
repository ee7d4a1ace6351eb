internal import Foundation
public import Models
internal import Storage

/// Carries one-time codes from the exporter to the notifier: on lanes, in journals and in the outbox only the notifier can read them.
public enum LoginCodeSeal {
    static let purpose = "nkul-login-code-1"

    /// - Throws: `StorageError` if nothing can be sealed to the key.
    public static func seal(
        _ code: String, id: String, of contact: String, _ tenant: String, to key: ChannelKeyDocument,
        at: UnixMilliseconds
    ) throws -> LoginCodeDocument {
        var document = LoginCodeDocument(id: id, tenant: tenant, contact: contact, key: key.id, sealed: "", at: at)
        let sealed = try RecipientSeal.seal(
            Array(code.utf8), to: [UInt8](Data(base64Encoded: key.publicKey) ?? Data()), purpose: purpose,
            additional: binding(document))
        document.sealed = Data(sealed).base64EncodedString()
        return document
    }

    /// The code; nil if it is sealed to another key, or to be told to somebody else.
    public static func open(_ document: LoginCodeDocument, with privateKey: (_ id: String) -> [UInt8]?) -> String? {
        guard let key = privateKey(document.key), let sealed = Data(base64Encoded: document.sealed),
            let code = try? RecipientSeal.open(
                [UInt8](sealed), with: key, purpose: purpose, additional: binding(document))
        else { return nil }
        return String(decoding: code, as: UTF8.self)
    }

    private static func binding(_ document: LoginCodeDocument) -> [UInt8] {
        Array("\(document.id)\u{0}\(document.tenant)\u{0}\(document.contact)\u{0}\(document.at)".utf8)
    }
}
