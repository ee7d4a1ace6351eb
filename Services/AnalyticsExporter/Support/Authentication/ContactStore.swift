package import GRDB
package import Models
internal import ServiceKit
internal import Storage

/// SQL of contacts. Every function runs in the caller's transaction.
package enum ContactStore {
    /// Adds a contact to a tenant that is there.
    ///
    /// - Parameters:
    ///   - token: the digest of the token it gets.
    /// - Throws: `ControlError` if the name is taken or none.
    package static func add(
        _ document: ContactDocument, token: SecretDigest, now: UnixMilliseconds, _ db: Database
    ) throws {
        guard isName(document.name) else {
            throw ControlError.argument(
                "contact", "is \"\(document.name)\"; expected 1…64 printable characters without /")
        }
        let tenant = try TenantStore.number(of: document.tenant, db)
        guard try find(document.name, of: tenant, db) == nil, tenant != 0 || document.name != Regulator.contact else {
            throw ControlError.refused("tenant \(document.tenant) has a contact \"\(document.name)\"")
        }
        try db.execute(
            sql: "INSERT INTO contacts (tenant, name, role, token, created_at) VALUES (?, ?, ?, ?, ?)",
            arguments: [tenant, document.name, document.role.rawValue, Blob.value(token.bytes), now])
    }

    /// The living contact of a name.
    static func find(_ name: String, of tenant: Int64, _ db: Database) throws -> StoredContact? {
        try Row.fetchOne(
            db, sql: select + " WHERE c.tenant = ? AND c.name = ? AND c.revoked_at IS NULL", arguments: [tenant, name]
        ).map(StoredContact.init)
    }

    /// Whether a tenant, by its number, has a living contact of that name.
    package static func isLiving(_ name: String, ofNumber tenant: Int64, _ db: Database) throws -> Bool {
        try tenant == 0 && name == Regulator.contact || find(name, of: tenant, db) != nil
    }

    /// Whether a tenant has a living contact of that name that may do more than look.
    package static func mayWrite(_ name: String, of tenant: Tenant, _ db: Database) throws -> Bool {
        try mayWrite(name, ofNumber: tenant.number, db)
    }

    /// The same of a tenant by its number.
    package static func mayWrite(_ name: String, ofNumber tenant: Int64, _ db: Database) throws -> Bool {
        if tenant == 0, name == Regulator.contact { return true }
        return try find(name, of: tenant, db)?.role.mayWrite ?? false
    }

    /// All contacts there ever were, of one tenant or of all, in the order in which they were added.
    package static func all(of tenant: Int64? = nil, _ db: Database) throws -> [StoredContact] {
        try Row.fetchAll(
            db, sql: select + " WHERE ?1 IS NULL OR c.tenant = ?1 ORDER BY c.tenant, c.number", arguments: [tenant]
        ).map(StoredContact.init)
    }

    /// Revokes contacts of a tenant, one by name or all, and ends their sessions.
    ///
    /// - Returns: those that were revoked.
    package static func revoke(_ name: String?, of tenant: Int64, now: UnixMilliseconds, _ db: Database) throws
        -> [StoredContact]
    {
        let contacts = try all(of: tenant, db).filter { $0.revokedAt == nil && (name == nil || $0.name == name) }
        let condition = "tenant = ?1 AND revoked_at IS NULL AND (?2 IS NULL OR name = ?2)"
        try db.execute(
            sql: "DELETE FROM sessions WHERE token IN (SELECT token FROM contacts WHERE \(condition))",
            arguments: [tenant, name])
        try db.execute(
            sql: "UPDATE contacts SET revoked_at = ?3 WHERE \(condition)", arguments: [tenant, name, now])
        return contacts
    }

    private static let select = """
        SELECT t.name, c.name, c.role, c.created_at, c.revoked_at FROM contacts c LEFT JOIN tenants t ON t.number = c.tenant
        """

    /// Names are people's own; they stand in keys of lanes behind a slash.
    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.count) && text.utf8.count <= 128 && !text.contains("/")
            && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace || $0 == " " }
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// A row of the table of contacts, without its token.
package struct StoredContact: Sendable, Equatable {
    package let tenant: String
    package let name: String
    package let role: ContactRole
    package let createdAt: UnixMilliseconds
    package let revokedAt: UnixMilliseconds?

    /// - Parameter row: tenant's name or nil for the built-in one, name, role, created, revoked.
    init(_ row: Row) {
        tenant = row[0] ?? Regulator.tenant
        name = row[1]
        // Written by this program from the same words.
        role = ContactRole(rawValue: row[2]) ?? .viewer
        createdAt = row[3]
        revokedAt = row[4]
    }

    /// What other services learn of it.
    package var document: ContactDocument { ContactDocument(tenant: tenant, name: name, role: role) }
}
