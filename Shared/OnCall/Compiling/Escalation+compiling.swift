internal import Channels
public import Models
public import ServiceKit

extension Escalation {
    /// Compiles a document: what the exporter does when it is set, and the router when it reads it.
    ///
    /// - Throws: ``DocumentRefusal`` naming every member at fault and what may stand there.
    public init(compiling document: JSONValue, id: String) throws(DocumentRefusal) {
        guard let members = document.object else {
            throw DocumentRefusal([DocumentProblem("", "is not a JSON object", allowed: "an object")])
        }
        var reader = DocumentReader(members)
        let tenant = reader.tenant(), filter = ChannelFilter(reading: &reader)
        let steps = reader.objects("steps", in: 1...20, of: "objects").compactMap { step -> Step? in
            var step = step
            defer { reader.take(step) }
            let wait = step.whole("after_minutes", in: 0...1_440, default: 0) * 60_000
            let target = Self.target(&step)
            step.finish()
            return target.map { Step(wait: wait, target: $0) }
        }
        reader.finish()
        guard reader.problems.isEmpty, let tenant else { throw DocumentRefusal(reader.problems) }
        (self.id, self.tenant, self.filter, self.steps) = (id, tenant, filter, steps)
    }

    private static func target(_ step: inout DocumentReader) -> Target? {
        let given = ["contacts", "schedule", "channel"].filter { step.has($0) }
        guard given.count <= 1 else {
            step.refuse(given[1], "is given besides \(given[0])", allowed: "one of contacts, schedule, channel")
            for name in given { _ = step.optional(name) }
            return nil
        }
        switch given.first {
        case "contacts":
            let contacts = step.list("contacts", most: 20, of: "names of contacts") { DocumentReader.name($0) }
            return contacts.isEmpty ? nil : .contacts(contacts)
        case "schedule": return step.name("schedule", allowed: "the name of a schedule").map { .schedule($0) }
        case "channel": return step.name("channel", allowed: "the name of a channel").map { .channel($0) }
        default:
            step.refuse("contacts", "is missing", allowed: "one of contacts, schedule, channel")
            return nil
        }
    }
}
