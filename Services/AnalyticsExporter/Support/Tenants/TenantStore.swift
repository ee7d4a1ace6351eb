package import GRDB
package import Models
internal import ServiceKit

/// SQL of tenants. Every function runs in the caller's transaction.
package enum TenantStore {
    /// Adds a tenant under the next number, which starts at 1 and is never given again.
    ///
    /// - Throws: `ControlError` if the name was ever used.
    package static func add(_ new: NewTenant, clientPublicKey: String, now: UnixMilliseconds, _ db: Database) throws
        -> StoredTenant
    {
        if let known = try find(new.name, db) {
            let what = known.removedAt == nil ? "exists" : "was removed; names are not used again"
            throw ControlError.refused("tenant \"\(new.name)\" \(what)")
        }
        try db.execute(
            sql: """
                INSERT INTO tenants (name, plmns, regulator, original_ids, client_public_key, created_at, scopes)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                new.name, new.plmns.joined(separator: ","), new.isRegulator, new.showsOriginalIDs, clientPublicKey, now,
                new.scopes.joined(separator: ","),
            ])
        return try find(new.name, db)!
    }

    /// The tenant of a name, removed or not.
    package static func find(_ name: String, _ db: Database) throws -> StoredTenant? {
        try Row.fetchOne(
            db, sql: "SELECT \(StoredTenant.columns) FROM tenants WHERE name = ?", arguments: [name]
        ).map(StoredTenant.init)
    }

    /// The number of a tenant that is there; 0 for the built-in regulator.
    ///
    /// - Throws: `ControlError` if there is none.
    package static func number(of name: String, _ db: Database) throws -> Int64 {
        if name == Regulator.tenant { return 0 }
        guard let tenant = try find(name, db), tenant.removedAt == nil else {
            throw ControlError.notFound("there is no tenant \"\(name)\"")
        }
        return tenant.number
    }

    /// All tenants that are there, by number.
    package static func living(_ db: Database) throws -> [StoredTenant] {
        try all(db).filter { $0.removedAt == nil }
    }

    /// All tenants there ever were, by number.
    package static func all(_ db: Database) throws -> [StoredTenant] {
        try Row.fetchAll(db, sql: "SELECT \(StoredTenant.columns) FROM tenants ORDER BY number").map(StoredTenant.init)
    }

    /// Marks a tenant as removed and forgets its endpoint.
    package static func remove(_ number: Int64, now: UnixMilliseconds, _ db: Database) throws {
        try db.execute(sql: "UPDATE tenants SET removed_at = ? WHERE number = ?", arguments: [now, number])
        try db.execute(
            sql: "DELETE FROM endpoints WHERE tenant = (SELECT name FROM tenants WHERE number = ?)", arguments: [number]
        )
    }
}
