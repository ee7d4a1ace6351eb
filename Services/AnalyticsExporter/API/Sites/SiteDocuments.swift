internal import Alarms
internal import Crypto
package import ExporterOperations
internal import ExporterStores
package import ExporterSupport
internal import Foundation
internal import GRDB
package import Logging
internal import Models
package import ServiceKit

/// Sites, sensors, doors and keys as people set and see them: one way for the API and for `nkul admin`.
///
/// What belongs to a site that a tenant does not own is not there for it.
package struct SiteDocuments: Sendable {
    /// Digits with which people arm and disarm.
    private static let codeDigits = 4...8

    let changes: ChangeQueue
    let state: StateReaders
    private let limits: SiteLimits
    private let logger: Logger

    package init(changes: ChangeQueue, state: StateReaders, limits: SiteLimits, logger: Logger) {
        self.limits = limits
        self.changes = changes
        self.state = state
        self.logger = logger
    }

    /// Sets a document.
    ///
    /// - Returns: it, as it is shown.
    /// - Throws: `DocumentRefusal` that names every member at fault; `ControlError` not found. Then nothing has changed.
    package func put(
        _ kind: SiteKind, _ id: String, _ document: JSONValue, by tenant: Tenant, _ contact: String? = nil
    ) async throws -> JSONValue {
        guard var members = document.object else {
            throw DocumentRefusal("", "is not a JSON object", allowed: "an object")
        }
        // A document that was read may be set again.
        if kind == .sensor { members["now"] = nil }
        if kind == .key, members["tenant"] == nil { members["tenant"] = .string(tenant.name) }
        let given = members
        let contacts = changes.directory
        let shown = try await changes.submit { [limits] db, now in
            var members = given
            let known = try Self.stored(kind, id, db)
            if let known, try !Self.owns(tenant, kind, known, db) {
                throw ControlError.notFound("there is no \(kind) \(id)")
            }
            if kind == .site {
                guard tenant.owns(site: try kind.number(id)) else {
                    throw ControlError.notFound("there is no site \(id)")
                }
                try Self.digestCode(&members, known: known)
            }
            let compiled = try kind.compile(try SortedJSON.bytes(of: JSONValue.object(members)), id: id)
            try Self.check(compiled, id, tenant, contacts, db)
            if known == nil { try limits.check(kind, of: tenant, db) }
            let record = try compiled.record(id)
            try DocumentStore.put(record, of: compiled.owner, db)
            let act = try Self.act("\(kind).set", id, by: tenant, contact, now, db)
            return (Self.shown(kind, try JSONValue(bytes: record.document!), nil), [record] + act)
        }
        log("\(kind) set", id, contact)
        return shown
    }

    /// Removes a document.
    package func remove(
        _ kind: SiteKind, _ id: String, by tenant: Tenant, _ contact: String? = nil
    ) async throws -> JSONValue {
        try await changes.submit { db, now in
            guard let known = try Self.stored(kind, id, db), try Self.owns(tenant, kind, known, db) else {
                throw ControlError.notFound("there is no \(kind) \(id)")
            }
            if let user = try Self.user(of: kind, id, db) {
                throw ControlError.refused("\(kind) \(id) is that of \(user), which has to go first")
            }
            try DocumentStore.remove(id, of: kind.record, db)
            let act = try Self.act("\(kind).removed", id, by: tenant, contact, now, db)
            return ((), [OperationRecord(removed: id, of: kind.record)] + act)
        }
        log("\(kind) removed", id, contact)
        return ["id": .string(id), "removed": true]
    }

    /// - Parameter contact: nil is whoever may use the control socket.
    private static func act(
        _ act: String, _ id: String, by tenant: Tenant, _ contact: String?, _ now: UnixMilliseconds, _ db: Database
    ) throws -> [OperationRecord] {
        try ContactActs.records(
            act, id, by: contact ?? "nkul admin", contact == nil ? "" : tenant.name, now: now, db)
    }

    private func log(_ what: String, _ id: String, _ contact: String?) {
        logger.notice("\(what)", metadata: ["id": "\(id)", "contact": "\(contact ?? "nkul admin")"])
    }

    /// All of a kind that a tenant may see, by number; sensors with how they are.
    package func list(_ kind: SiteKind, of tenant: Tenant) async throws -> [JSONValue] {
        try await state.read { db in
            let states = kind == .sensor ? try SiteTaskStore.states(db) : [:]
            var shown: [(id: Int64, document: JSONValue)] = []
            // Keys come by their names.
            for stored in try DocumentStore.all(of: kind.record, db) {
                let document = try JSONValue(bytes: stored.document), id = document["id"]?.integer ?? 0
                guard try Self.owns(tenant, kind, document, db) else { continue }
                shown.append((id, Self.shown(kind, document, states[id])))
            }
            return kind == .key ? shown.map(\.document) : shown.sorted { $0.id < $1.id }.map(\.document)
        }
    }

    /// One of a kind; nil if the tenant sees none.
    package func one(_ kind: SiteKind, _ id: String, of tenant: Tenant) async throws -> JSONValue? {
        try await state.read { db in
            guard let known = try Self.stored(kind, id, db), try Self.owns(tenant, kind, known, db) else { return nil }
            let state = kind == .sensor ? try SiteTaskStore.state(of: known["id"]?.integer ?? 0, db) : nil
            return Self.shown(kind, known, state)
        }
    }

    // MARK: - What holds of documents together

    private static func check(
        _ compiled: SiteKind.Compiled, _ id: String, _ tenant: Tenant, _ contacts: AccessDirectory, _ db: Database
    ) throws {
        switch compiled {
        case .site(let site):
            guard tenant.owns(site: site.id) else { throw ControlError.notFound("there is no site \(id)") }
        case .sensor(let sensor):
            try checkSite(sensor.site, tenant, db)
            guard let zone = sensor.panel else { return }
            let others = try DocumentStore.all(of: .sensor, db).filter { $0.key != id }
            for other in others {
                let document = try JSONDecoder().decode(SensorDocument.self, from: Data(other.document))
                if document.panel == zone {
                    throw DocumentRefusal(
                        "panel", "is zone \(zone.zone) of account \(zone.account), which is another sensor's",
                        allowed: "a zone of its own")
                }
            }
        case .door(let door): try checkSite(door.site, tenant, db)
        case .key(let key):
            guard let door = try stored(.door, "\(key.door)", db), try owns(tenant, .door, door, db) else {
                throw DocumentRefusal("door", "is \(key.door)", allowed: "a door of a site of yours")
            }
            guard tenant.isRegulator || key.tenant == tenant.name else {
                throw DocumentRefusal("tenant", "is \"\(key.tenant)\"", allowed: "\"\(tenant.name)\"")
            }
            guard contacts.caller(key.contact, of: key.tenant) != nil else {
                throw DocumentRefusal(
                    "contact", "is \"\(key.contact)\"", allowed: "a contact of tenant \(key.tenant)")
            }
        }
    }

    private static func checkSite(_ site: Int64, _ tenant: Tenant, _ db: Database) throws {
        guard tenant.owns(site: site), try stored(.site, "\(site)", db) != nil else {
            throw DocumentRefusal("site", "is \(site)", allowed: "a site of yours that is set")
        }
    }

    /// What cannot be without a document; nil if nothing is.
    private static func user(of kind: SiteKind, _ id: String, _ db: Database) throws -> String? {
        let users: [(SiteKind, String)] =
            switch kind {
            case .site: [(.sensor, "site"), (.door, "site")]
            case .door: [(.key, "door")]
            case .sensor, .key: []
            }
        for (user, member) in users {
            for stored in try DocumentStore.all(of: user.record, db)
            where try JSONValue(bytes: stored.document)[member]?.integer.map({ "\($0)" }) == id {
                return "\(user) \(stored.key)"
            }
        }
        return nil
    }

    private static func stored(_ kind: SiteKind, _ id: String, _ db: Database) throws -> JSONValue? {
        try DocumentStore.document(id, of: kind.record, db).map { try JSONValue(bytes: $0) }
    }

    /// Whether a tenant owns the site that a document is about.
    private static func owns(_ tenant: Tenant, _ kind: SiteKind, _ document: JSONValue, _ db: Database) throws -> Bool {
        switch kind {
        case .site: return document["id"]?.integer.map(tenant.owns) ?? false
        case .sensor, .door: return document["site"]?.integer.map(tenant.owns) ?? false
        case .key:
            guard let door = document["door"]?.integer, let stored = try stored(.door, "\(door)", db) else {
                return tenant.isRegulator
            }
            return try owns(tenant, .door, stored, db)
        }
    }

    // MARK: - Codes

    /// Puts the digest in the place of a code's digits. Without a code the site keeps the one that it has; `null` takes it away.
    private static func digestCode(_ members: inout [String: JSONValue], known: JSONValue?) throws {
        if let flag = members.removeValue(forKey: "code_set"), flag.bool == nil {
            throw DocumentRefusal("code_set", "is \(flag.text)", allowed: "true or false, or nothing")
        }
        switch members["code"] {
        case .none: members["code"] = known?["code"]
        case .some(.null): members["code"] = nil
        case .some(let code):
            guard let digits = code.string, codeDigits.contains(digits.utf8.count),
                digits.utf8.allSatisfy({ (48...57).contains($0) })
            else {
                throw DocumentRefusal(
                    "code", "is something else",
                    allowed: "\(codeDigits.lowerBound)…\(codeDigits.upperBound) digits, as text")
            }
            let salt = Secret.identifier()
            members["code"] = ["salt": .string(salt), "digest": .string(digest(digits, salt: salt))]
        }
    }

    /// What a code is kept and compared as.
    static func digest(_ code: String, salt: String) -> String {
        Hexadecimal.text(Array(SHA256.hash(data: Array("\(salt)/\(code)".utf8))))
    }

    // MARK: - How documents are shown

    private static func shown(_ kind: SiteKind, _ document: JSONValue, _ state: SensorState?) -> JSONValue {
        guard var members = document.object else { return document }
        if kind == .site {
            members["code_set"] = .bool(members.removeValue(forKey: "code") != nil)
        }
        guard kind == .sensor else { return .object(members) }
        var now: [String: JSONValue] = ["arming": .string((state?.arming ?? .armed).rawValue)]
        if let state {
            now["state"] = state.isHigh.map { .string($0 ? "HIGH" : "LOW") }
            now["value"] = state.value.map { .number(Double($0) / Double(SensorEvent.valueScale)) }
            now["battery_pct"] = state.battery.map { .integer($0) }
            now["tamper"] = .bool(state.isTampered)
            now["event_at"] = state.eventAt.map { .string(Timestamp.text($0)) }
            now["due_at"] = state.dueAt.map { .string(Timestamp.text($0)) }
        }
        members["now"] = .object(now)
        return .object(members)
    }
}

extension Tenant {
    /// Whether a site is the tenant's; every one is a regulator's.
    func owns(site: Int64) -> Bool {
        scope.contains(site, of: .number(scheme: SensorEvent.siteScheme, column: SensorEvent.site))
    }
}
