internal import Foundation
public import Models
public import ServiceKit
internal import Storage

/// Puts `sealed` in the place of `secrets` in the document of a channel, before it leaves the hands of who sets it.
public enum ChannelSealing {
    /// - Returns: the document as the exporter takes it.
    /// - Throws: ``DocumentRefusal`` naming every member at fault, those of the secrets too; `StorageError` if nothing can be
    ///   sealed to the key.
    public static func seal(
        _ document: JSONValue, id: String, to key: ChannelKeyDocument, _ policy: AddressPolicy
    ) throws -> JSONValue {
        guard var members = document.object, document["sealed"] == nil else {
            throw DocumentRefusal([
                DocumentProblem("sealed", "is given", allowed: "secrets in clear; they are sealed here")
            ])
        }
        let secrets = members.removeValue(forKey: "secrets")
        guard let kind = members["kind"]?.string else {
            _ = try Channel(compiling: .object(members), id: id, policy)
            return document
        }
        _ = try ChannelSecrets(compiling: secrets, of: kind, policy)
        guard let secrets else { return .object(members) }
        let target = members["url"]?.string ?? members["to"]?.string ?? ""
        guard let publicKey = Data(base64Encoded: key.publicKey) else {
            throw DocumentRefusal([DocumentProblem("key", "is no key", allowed: "the notifier's")])
        }
        let sealed = try RecipientSeal.seal(
            Array(secrets.text.utf8), to: [UInt8](publicKey), purpose: ChannelSecrets.purpose,
            additional: ChannelSecrets.binding(channel: id, kind: kind, target: target))
        members["sealed"] = ["key": .string(key.id), "text": .string(Data(sealed).base64EncodedString())]
        _ = try Channel(compiling: .object(members), id: id, policy)
        return .object(members)
    }
}
