internal import ExporterOperations
internal import ExporterSupport
package import GRDB
internal import Models
package import OnCall
internal import ServiceKit

/// What a document names that must be there: contacts of the tenant, its schedules, its channels.
package struct OnCallReferences: Sendable {
    private var contacts: [(path: String, name: String)]
    private var schedules: [(path: String, name: String)] = []
    private var channels: [(path: String, name: String)] = []
    /// When planned work is over that does not come again.
    private(set) var endsAt: UnixMilliseconds?

    init(contacts: [(path: String, name: String)]) { self.contacts = contacts }

    init(_ escalation: Escalation) {
        contacts = []
        for (index, step) in escalation.steps.enumerated() {
            switch step.target {
            case .contacts(let names):
                contacts += names.enumerated().map { ("steps[\(index)].contacts[\($0)]", $1) }
            case .schedule(let name): schedules.append(("steps[\(index)].schedule", name))
            case .channel(let name): channels.append(("steps[\(index)].channel", name))
            }
        }
    }

    init(_ maintenance: Maintenance) {
        contacts = []
        if case .once(let period) = maintenance.time { endsAt = period.upperBound }
    }

    /// - Throws: `DocumentRefusal` with everything that is not there.
    func check(of tenant: String, _ db: Database) throws {
        var problems: [DocumentProblem] = []
        let number = try TenantStore.number(of: tenant, db)
        for (path, name) in contacts where try !ContactStore.mayWrite(name, ofNumber: number, db) {
            problems.append(
                DocumentProblem(
                    path, "is \"\(name)\"", allowed: "a contact of \(tenant) that may do more than look"))
        }
        for (path, name) in schedules where try !DocumentStore.contains("\(tenant)/\(name)", of: .schedule, db) {
            problems.append(DocumentProblem(path, "is \"\(name)\"", allowed: "a schedule of \(tenant)"))
        }
        for (path, name) in channels where try DocumentStore.owner(of: name, .channel, db) != tenant {
            problems.append(DocumentProblem(path, "is \"\(name)\"", allowed: "a channel of \(tenant)"))
        }
        guard problems.isEmpty else { throw DocumentRefusal(problems) }
    }

    /// The first escalation of a tenant that names a schedule, a channel or a contact; nil if none does.
    package static func escalation(naming target: Escalation.Target, of tenant: String, _ db: Database) throws
        -> String?
    {
        try DocumentStore.all(of: .escalation, db).first { key, document in
            guard key.hasPrefix("\(tenant)/"), let value = try? JSONValue(bytes: document),
                let escalation = try? Escalation(compiling: value, id: key)
            else { return false }
            return escalation.steps.contains { $0.target == target }
        }.map { String($0.key.dropFirst(tenant.count + 1)) }
    }

    /// The schedules and escalations of a tenant that name a contact, in words.
    package static func namings(of contact: String, tenant: String, _ db: Database) throws -> [String] {
        try [OnCallKind.schedule, .escalation].flatMap { kind in
            try DocumentStore.all(of: kind.record, db).compactMap { key, document -> String? in
                let id = String(key.dropFirst(tenant.count + 1))
                // What is stored compiled when it was set; what does not any more names nobody.
                guard key.hasPrefix("\(tenant)/"),
                    let names = try? contacts(of: kind, id, JSONValue(bytes: document))
                else { return nil }
                return names.contains(contact) ? "\(kind.rawValue) \(id)" : nil
            }
        }
    }

    private static func contacts(of kind: OnCallKind, _ id: String, _ document: JSONValue) throws -> [String] {
        guard kind == .escalation else { return try Schedule(compiling: document, id: id).named.map(\.contact) }
        return try Escalation(compiling: document, id: id).steps.flatMap { step -> [String] in
            guard case .contacts(let names) = step.target else { return [] }
            return names
        }
    }
}
