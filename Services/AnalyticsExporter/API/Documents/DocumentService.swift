internal import AlarmRules
package import Channels
package import ExporterOperations
package import ExporterSupport
internal import GRDB
internal import HTTPTypes
package import Logging
package import Models
internal import OnCall
package import ServiceKit

/// Rules and channels: what managers set for their tenant, and `nkul admin` for any. One set of functions serves both.
package struct DocumentService: Sendable {
    /// What a tenant may have; of regulators, and set by `nkul admin`, there may be more.
    static let mostOfTenant = 100

    /// Whose documents somebody may see and set.
    package enum Reach: Sendable {
        case all
        case tenant(Tenant)

        /// Regulators reach everything.
        package init(_ tenant: Tenant) { self = tenant.isRegulator ? .all : .tenant(tenant) }

        fileprivate var tenant: Tenant? { if case .tenant(let tenant) = self { tenant } else { nil } }
    }

    /// A document that was compiled, and whose it is.
    struct Compiled: Sendable {
        let record: OperationRecord
        /// Empty: the home's.
        let tenant: String
        /// Whom it tells; nil if nobody by name.
        var contact: String?
    }

    package let changes: ChangeQueue
    let state: StateReaders
    let kind: RecordKind
    private let compile: @Sendable (_ id: String, JSONValue, Reach) throws -> Compiled
    private let logger: Logger

    private init(
        _ kind: RecordKind, changes: ChangeQueue, state: StateReaders, logger: Logger,
        compile: @escaping @Sendable (_ id: String, JSONValue, Reach) throws -> Compiled
    ) {
        self.kind = kind
        self.changes = changes
        self.state = state
        self.logger = logger
        self.compile = compile
    }

    /// - Returns: the document as it is shown, and whether there was none of that name.
    /// - Throws: `DocumentRefusal`; ``ExporterAPIError`` not found if the name is that of somebody else's.
    package func set(_ id: String, _ document: JSONValue, _ reach: Reach, by caller: Caller? = nil) async throws
        -> (shown: JSONValue, isNew: Bool)
    {
        guard Self.isName(id) else {
            throw DocumentRefusal("id", "is \"\(id.prefix(64))\"", allowed: "1…64 of letters, digits, - _ .")
        }
        let given = try compile(id, document, reach), kind = kind
        let (stored, isNew) = try await changes.submit { [compile] db, now in
            let owner = try DocumentStore.owner(of: id, kind, db)
            var compiled = given
            if kind == .rule, reach.tenant == nil, let owner, let tenant = try TenantStore.find(owner, db) {
                // A rule of a tenant stays the tenant's, and looks at what the tenant owns, whoever sets it anew.
                compiled = try compile(id, document, .tenant(tenant.asTenant))
            }
            if kind == .channel, let owner, owner != compiled.tenant { try Self.checkUnused(id, by: owner, db) }
            if let tenant = reach.tenant {
                guard owner == nil || owner == tenant.name else { throw ExporterAPIError.notFound }
                if owner == nil {
                    try DocumentStore.checkCount(of: tenant.name, kind, most: Self.mostOfTenant, db)
                }
            } else if compiled.tenant != "", compiled.tenant != Regulator.tenant {
                guard try TenantStore.find(compiled.tenant, db).map({ $0.removedAt == nil }) ?? false else {
                    throw DocumentRefusal("tenant", "is \"\(compiled.tenant)\"", allowed: "a tenant, or regulator")
                }
            }
            if let contact = compiled.contact,
                try !ContactStore.isLiving(contact, ofNumber: TenantStore.number(of: compiled.tenant, db), db)
            {
                throw DocumentRefusal("contact", "is \"\(contact)\"", allowed: "a contact of \(compiled.tenant)")
            }
            try DocumentStore.put(compiled.record, of: compiled.tenant, db)
            let act = try ContactActs.records("\(kind.name).set", id, by: caller, now: now, db)
            return ((compiled.record, owner == nil), [compiled.record] + act)
        }
        log("set", id, caller)
        return (try shown(id, stored.document ?? []), isNew)
    }

    /// Those that are reached, by name.
    package func list(_ reach: Reach) async throws -> [JSONValue] {
        let kind = kind, tenant = reach.tenant?.name
        return try await state.read { db in try DocumentStore.all(of: kind, ownedBy: tenant, db) }
            .map { try shown($0.key, $0.document) }
    }

    /// One of them.
    ///
    /// - Throws: ``ExporterAPIError`` not found.
    package func one(_ id: String, _ reach: Reach) async throws -> JSONValue {
        guard let found = try await list(reach).first(where: { $0["id"]?.string == id }) else {
            throw ExporterAPIError.notFound
        }
        return found
    }

    /// - Throws: `ControlError` not found.
    package func remove(_ id: String, _ reach: Reach, by caller: Caller? = nil) async throws {
        let kind = kind
        try await changes.submit { db, now in
            let owner = try DocumentStore.owner(of: id, kind, db)
            guard let owner, reach.tenant.map({ $0.name == owner }) ?? true else {
                throw ControlError.notFound("there is no \(kind.name) \"\(id)\"")
            }
            if kind == .channel { try Self.checkUnused(id, by: owner, db) }
            try DocumentStore.remove(id, of: kind, db)
            let act = try ContactActs.records("\(kind.name).removed", id, by: caller, now: now, db)
            return ((), [OperationRecord(removed: id, of: kind)] + act)
        }
        log("removed", id, caller)
    }

    /// - Throws: `ControlError` `refused` if an escalation of the tenant names the channel.
    private static func checkUnused(_ channel: String, by tenant: String, _ db: Database) throws {
        if let user = try OnCallReferences.escalation(naming: .channel(channel), of: tenant, db) {
            throw ControlError.refused("escalation \(user) of \(tenant) names channel \(channel)")
        }
    }

    private func log(_ what: String, _ id: String, _ caller: Caller?) {
        logger.notice(
            "\(kind.name) \(what)", metadata: ["id": "\(id)", "contact": "\(caller?.contact ?? "nkul admin")"])
    }

    /// A rule as it was set; of a channel that there are secrets, not which.
    private func shown(_ id: String, _ document: [UInt8]) throws -> JSONValue {
        let document = try JSONValue(bytes: document)
        guard kind == .channel else { return ["id": .string(id), "document": document] }
        var members = document.object ?? [:]
        let hasSecrets = members.removeValue(forKey: "sealed") != nil
        members["id"] = .string(id)
        members["has_secrets"] = .bool(hasSecrets)
        return .object(members)
    }

    /// Names stand in keys of lanes, and rules' in those of alarms.
    package static func isName(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "-_.".utf8.contains(byte)
            }
    }
}

extension DocumentService {
    /// Rules, compiled as the router compiles them. A tenant's looks at what the tenant owns, which stands in it then.
    package static func rules(
        _ programmes: Programmes, changes: ChangeQueue, state: StateReaders, logger: Logger
    ) -> DocumentService {
        DocumentService(.rule, changes: changes, state: state, logger: logger) { id, document, reach in
            guard let tenant = reach.tenant else {
                _ = try AlarmRule(
                    compiling: SortedJSON.bytes(of: document), id: id, programmes: programmes)
                return Compiled(record: try OperationRecord(.rule, key: id, document), tenant: "")
            }
            // Built-in rules are everybody's, and so are the router's own alarms.
            guard !id.hasPrefix(BuiltInRules.prefix), !AlarmRule.reservedNames.contains(id) else {
                throw ExporterAPIError.notFound
            }
            let rule = try AlarmRule(
                compiling: SortedJSON.bytes(of: document), id: id, programmes: programmes, owned: tenant.owned)
            let owners = (rule.scope.owners ?? []).map { Scope(scheme: rule.ownerScheme, number: $0).text }.sorted()
            guard !owners.isEmpty else {
                throw DocumentRefusal(
                    "programme", "has no rows of yours", allowed: "one of which the tenant owns something")
            }
            var members = document.object ?? [:], scope = document["scope"]?.object ?? [:]
            scope["owners"] = .array(owners.map { .string($0) })
            members["scope"] = .object(scope)
            return Compiled(
                record: try OperationRecord(.rule, key: id, JSONValue.object(members)), tenant: tenant.name)
        }
    }

    /// Channels, compiled as the notifier compiles them. Secrets are sealed, or come sealed.
    package static func channels(
        _ policy: AddressPolicy, changes: ChangeQueue, state: StateReaders, logger: Logger
    ) -> DocumentService {
        DocumentService(.channel, changes: changes, state: state, logger: logger) { id, document, reach in
            let channel = try Channel(compiling: document, id: id, policy)
            if let tenant = reach.tenant, tenant.name != channel.tenant {
                throw DocumentRefusal("tenant", "is \"\(channel.tenant.prefix(64))\"", allowed: tenant.name)
            }
            return Compiled(
                record: try OperationRecord(.channel, key: id, document), tenant: channel.tenant,
                contact: channel.contact)
        }
    }
}
