internal import ExporterSupport
package import Models
internal import OnCall
internal import ServiceKit

/// The kinds of documents that say who is called when.
package enum OnCallKind: String, Sendable, CaseIterable {
    case schedule, escalation, maintenance

    package var record: RecordKind {
        switch self {
        case .schedule: .schedule
        case .escalation: .escalation
        case .maintenance: .maintenance
        }
    }

    /// In paths, behind `/v1/`.
    var path: String { self == .maintenance ? rawValue : rawValue + "s" }

    /// Whether a text names a document: 1…64 of letters, digits, - _ .
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "-_.".utf8.contains(byte)
            }
    }

    func unknown(_ id: String, _ tenant: String) -> ControlError {
        .notFound("tenant \(tenant) has no \(self == .maintenance ? "planned work" : rawValue) \"\(id.prefix(64))\"")
    }

    /// Compiles a document as the router will, for a tenant, which it need not name.
    ///
    /// - Returns: the document with its tenant, and what it refers to.
    /// - Throws: `DocumentRefusal`.
    func compiled(
        _ document: JSONValue, id: String, of tenant: String
    ) throws(DocumentRefusal) -> (JSONValue, OnCallReferences) {
        if let named = document["tenant"], named.string != tenant {
            throw DocumentRefusal("tenant", "is \(named.text.prefix(80))", allowed: "\"\(tenant)\", or nothing")
        }
        let whole = JSONValue.object(
            (document.object ?? [:]).filter { $0.key != "id" || $0.value.string != id }
                .merging(["tenant": .string(tenant)]) { $1 })
        switch self {
        case .schedule:
            let schedule = try Schedule(compiling: whole, id: id)
            return (whole, OnCallReferences(contacts: schedule.named.map { ($0.path, $0.contact) }))
        case .escalation: return (whole, OnCallReferences(try Escalation(compiling: whole, id: id)))
        case .maintenance: return (whole, OnCallReferences(try Maintenance(compiling: whole, id: id)))
        }
    }
}
