internal import Channels
public import Models
public import ServiceKit

extension Maintenance {
    static let mostDays: Int64 = 31

    /// Compiles a document: what the exporter does when it is set, and the router when it reads it.
    ///
    /// - Throws: ``DocumentRefusal`` naming every member at fault and what may stand there.
    public init(compiling document: JSONValue, id: String) throws(DocumentRefusal) {
        guard let members = document.object else {
            throw DocumentRefusal([DocumentProblem("", "is not a JSON object", allowed: "an object")])
        }
        var reader = DocumentReader(members)
        let tenant = reader.tenant(), filter = ChannelFilter(reading: &reader, least: .indeterminate)
        let reason = reader.text("reason", allowed: "1…1000 characters, none of them control") { text in
            (1...1_000).contains(text.count)
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ? text : nil
        }
        let time = Self.time(&reader)
        reader.finish()
        guard reader.problems.isEmpty, let tenant, let reason, let time else {
            throw DocumentRefusal(reader.problems)
        }
        (self.id, self.tenant, self.filter, self.time, self.reason) = (id, tenant, filter, time, reason)
    }

    private static func time(_ reader: inout DocumentReader) -> Time? {
        guard var weekly = reader.object("weekly") else {
            return reader.has("weekly") ? nil : reader.period(mostDays: mostDays).map { .once($0) }
        }
        if reader.has("from") || reader.has("to") {
            reader.refuse("weekly", "is given besides from and to", allowed: "one of both")
            for name in ["from", "to"] { _ = reader.optional(name) }
        }
        let zone = weekly.zone(), hours = weekly.hours()
        weekly.finish()
        reader.take(weekly)
        guard let zone, let hours else { return nil }
        return .weekly(hours, zone)
    }
}
