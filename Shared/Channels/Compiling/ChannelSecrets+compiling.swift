internal import Crypto
internal import Foundation
public import Models
public import ServiceKit

extension ChannelSecrets {
    /// Compiles the secrets of a kind of channel; nil for a document without any.
    ///
    /// - Throws: ``DocumentRefusal``, whose paths begin with `secrets.` and which shows no value.
    public init(
        compiling document: JSONValue?, of kind: String, _ policy: AddressPolicy
    ) throws(DocumentRefusal) {
        guard let members = (document ?? [:]).object else {
            throw DocumentRefusal([DocumentProblem("secrets", "is not a JSON object", allowed: "an object")])
        }
        var reader = DocumentReader(members, within: "secrets.", areSecret: true)
        self.init()
        switch kind {
        case "webhook":
            hmacKey = reader.text("hmac_key", allowed: "16…256 characters of ASCII without blanks") { text in
                (16...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? text : nil
            }
            authorization = Self.header(&reader)
        case "alertmanager": authorization = Self.header(&reader)
        case "webpush": subscription = Self.subscription(&reader, policy)
        default: break
        }
        reader.finish()
        guard reader.problems.isEmpty else { throw DocumentRefusal(reader.problems) }
    }

    private static func header(_ reader: inout DocumentReader) -> String? {
        reader.text(
            "authorization", mayBeMissing: true, allowed: "the header Authorization: 1…1024 characters of ASCII"
        ) { text in
            (1...1_024).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) } ? text : nil
        }
    }

    private static func subscription(_ reader: inout DocumentReader, _ policy: AddressPolicy) -> PushSubscription? {
        let endpoint = reader.text("endpoint", allowed: TargetURL.allowed) { text throws(TargetURL.Refusal) in
            try TargetURL(text, policy)
        }
        let key = reader.text("p256dh", allowed: "65 bytes in base64url, a point of P-256") { text in
            Base64URL.bytes(text).flatMap {
                (try? P256.KeyAgreement.PublicKey(x963Representation: $0)) == nil ? nil : $0
            }
        }
        let authentication = reader.text("auth", allowed: "16 bytes in base64url") { text in
            Base64URL.bytes(text).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let endpoint, let key, let authentication else { return nil }
        return PushSubscription(endpoint: endpoint, publicKey: key, authentication: authentication)
    }
}

/// Base64 of RFC 4648 section 5, without padding.
public enum Base64URL {
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Nil if it is none; padding may be there.
    public static func bytes(_ text: String) -> [UInt8]? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: padded).map { [UInt8]($0) }
    }
}
