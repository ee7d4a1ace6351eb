internal import Foundation
public import Models
public import ServiceKit

extension Channel {
    /// Compiles a document: what the exporter does when it is set, the notifier when it reads it, and `nkul admin channel` before
    /// it seals the secrets.
    ///
    /// - Parameter policy: which addresses its URL may name.
    /// - Throws: ``DocumentRefusal`` naming every member at fault and what may stand there.
    public init(compiling document: JSONValue, id: String, _ policy: AddressPolicy) throws(DocumentRefusal) {
        guard let members = document.object else {
            throw DocumentRefusal([DocumentProblem("", "is not a JSON object", allowed: "an object")])
        }
        var reader = DocumentReader(members)
        let words = Channel.kinds
        let word = reader.text("kind", allowed: "one of " + words.joined(separator: ", ")) {
            words.contains($0) ? $0 : nil
        }
        let tenant = reader.text("tenant", allowed: "the name of a tenant, or regulator") { name in
            (1...64).contains(name.utf8.count) ? name : nil
        }
        let contact = reader.text("contact", mayBeMissing: true, allowed: "the name of a contact of the tenant") {
            name in
            (1...64).contains(name.count) && name.utf8.count <= 128 ? name : nil
        }
        let tells = reader.text("tells", mayBeMissing: true, allowed: "all or escalations") { Tells(rawValue: $0) }
        let perMinute = reader.whole("per_minute", in: 1...600, default: 60)
        let query = word == "tmf642" ? Self.query(&reader) : nil
        let filter = query?.filter ?? ChannelFilter(reading: &reader), sealed = Self.sealed(&reader)
        let kind = word.flatMap { Self.kind($0, query?.events ?? [], &reader, policy) }
        if sealed == nil, let word, ["webhook", "webpush"].contains(word),
            !reader.problems.contains(where: { $0.path.hasPrefix("sealed") })
        {
            reader.refuse("sealed", "is missing", allowed: "the channel's secrets, sealed to the notifier's key")
        }
        reader.finish()
        guard reader.problems.isEmpty, let tenant, let kind else { throw DocumentRefusal(reader.problems) }
        self.init(
            id: id, tenant: tenant, contact: contact, tells: tells ?? (contact == nil ? .all : .escalations),
            kind: kind,
            filter: filter, perMinute: Int(perMinute), sealed: sealed)
    }

    private static func kind(
        _ word: String, _ events: Set<AlarmEvent>, _ reader: inout DocumentReader, _ policy: AddressPolicy
    ) -> Kind? {
        switch word {
        case "webhook": return target(&reader, policy).map { .webhook($0) }
        case "alertmanager":
            let resend = reader.whole("resend_seconds", in: 1...3_600, default: 60)
            return target(&reader, policy).map { .alertmanager($0, resend: resend * 1_000) }
        case "email":
            let digest = reader.whole("digest_seconds", in: 0...3_600, default: 60)
            return reader.text("to", allowed: "one address of e-mail: name@host, at most 254 characters of ASCII") {
                text in
                isMailbox(text) ? text : nil
            }.map { .email(to: $0, digest: digest * 1_000) }
        case "sms":
            return reader.text("to", allowed: "a telephone number in international form: + and 7…15 digits") { text in
                isTelephone(text) ? text : nil
            }.map { .sms(to: $0) }
        case "tmf642": return target(&reader, policy).map { .tmf642($0, events: events) }
        default: return .webpush
        }
    }

    private static func target(_ reader: inout DocumentReader, _ policy: AddressPolicy) -> TargetURL? {
        reader.text("url", allowed: TargetURL.allowed) { text throws(TargetURL.Refusal) in try TargetURL(text, policy) }
    }

    /// A listener's query takes the place of the filter.
    private static func query(_ reader: inout DocumentReader) -> AlarmEventQuery {
        reader.text("query", mayBeMissing: true, allowed: AlarmEventQuery.allowed) { AlarmEventQuery($0) }
            ?? AlarmEventQuery()
    }

    private static func sealed(_ reader: inout DocumentReader) -> SealedSecrets? {
        guard var inner = reader.object("sealed") else { return nil }
        let key = inner.text("key", allowed: "16 digits of hexadecimal") { text in
            text.utf8.count == 16 && text.allSatisfy(\.isHexDigit) ? text : nil
        }
        let bytes = inner.text("text", allowed: "82…8192 bytes in base64") { text in
            Data(base64Encoded: text).flatMap { (82...8_192).contains($0.count) ? [UInt8]($0) : nil }
        }
        inner.finish()
        reader.take(inner)
        guard let key, let bytes else { return nil }
        return SealedSecrets(key: key, bytes: bytes)
    }

    /// Whether a text is a number of E.164 with its plus.
    static func isTelephone(_ text: String) -> Bool {
        text.hasPrefix("+") && (7...15).contains(text.utf8.count - 1) && !text.hasPrefix("+0")
            && text.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
    }

    /// Whether a text is an address as SMTP takes it in a command, without quoting: nothing of it can be read as anything else.
    public static func isMailbox(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, parts.count == 2, (1...64).contains(parts[0].utf8.count) else { return false }
        let name = parts[0].utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)
        }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return name && !parts[0].hasPrefix(".") && !parts[0].hasSuffix(".") && !parts[0].contains("..")
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { byte in
                        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
                    }
            }
    }
}
