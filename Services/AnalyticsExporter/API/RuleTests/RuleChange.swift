internal import AlarmRules
internal import ExporterOperations
internal import ExporterSupport
internal import GRDB
internal import Models
internal import ServiceKit

/// A rule that may be set, and the one whose place it would take.
struct RuleChange: Sendable {
    let rule: AlarmRule
    /// Nil if there is none of that name, or what is stored does not compile any more.
    let inForce: AlarmRule?

    /// Whether both decide the same.
    var isSame: Bool { rule.fingerprint == inForce?.fingerprint }

    /// How long before a moment rows must be read from, so that windows and what is usual are as they would be.
    var lead: UnixMilliseconds { [rule, inForce].compactMap { $0?.lead }.max() ?? 0 }
    var lateness: UnixMilliseconds { max(rule.lateness, inForce?.lateness ?? 0) }
}

extension AlarmRule {
    /// Milliseconds: eight weeks of what is usual in an hour of the week, a week of what is usual at all, else what windows hold.
    fileprivate var lead: UnixMilliseconds {
        let windows = UnixMilliseconds(window + holdSet + holdClear) * 60_000 + lateness
        let quiet = UnixMilliseconds(RuleEngine.quietMinutes) * 60_000
        switch kind {
        case .silence: return 56 * 86_400_000 + windows + quiet
        case .collapse: return 7 * 86_400_000 + windows + quiet
        case .urgent, .count, .ratio: return windows + quiet
        }
    }
}

extension DocumentService {
    /// What setting a rule would change.
    ///
    /// - Parameter document: nil: the rule in force is taken as it is.
    /// - Throws: `DocumentRefusal`; ``ExporterAPIError`` not found if the name is that of somebody else's, or there is neither a document
    ///   nor a rule.
    func change(_ id: String, to document: JSONValue?, by tenant: Tenant, _ programmes: Programmes) async throws
        -> RuleChange
    {
        guard Self.isName(id) else {
            throw DocumentRefusal("id", "is \"\(id.prefix(64))\"", allowed: "1…64 of letters, digits, - _ .")
        }
        let isOurs = id.hasPrefix(BuiltInRules.prefix) || AlarmRule.reservedNames.contains(id)
        if isOurs, !tenant.isRegulator { throw ExporterAPIError.notFound }
        let stored = try await state.read { db in
            let owner = try DocumentStore.owner(of: id, .rule, db)
            guard tenant.isRegulator || owner == nil || owner == tenant.name else { throw ExporterAPIError.notFound }
            // A rule of a tenant stays the tenant's, whoever sets it anew.
            let owned = try owner.flatMap { try TenantStore.find($0, db) }?.asTenant.owned
            return (document: try DocumentStore.document(id, of: .rule, db), owned: owned)
        }
        let builtIn = BuiltInRules.documents(programmes).first { $0.id == id }.map { Array($0.document.utf8) }
        let inForce = (stored.document ?? builtIn).flatMap {
            try? AlarmRule(compiling: $0, id: id, programmes: programmes)
        }
        guard let document else {
            guard let inForce else { throw ExporterAPIError.notFound }
            return RuleChange(rule: inForce, inForce: inForce)
        }
        let owned = tenant.isRegulator ? stored.owned : tenant.owned
        let rule = try AlarmRule(
            compiling: SortedJSON.bytes(of: document), id: id, programmes: programmes, owned: owned)
        return RuleChange(rule: rule, inForce: inForce)
    }
}
