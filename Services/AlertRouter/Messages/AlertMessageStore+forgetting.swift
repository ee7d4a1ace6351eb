internal import GRDB

extension AlertMessageStore {
    /// Takes the messages of alarms away that the tenant may not see any more; a regulator may see all.
    ///
    /// At once and in one transaction, so that no replay gives them after what it owns was narrowed.
    func forgetOthers(_ db: Database) throws {
        guard !tenant.isRegulator else { return }
        for table in ["alert_messages", "alert_latest"] {
            try db.execute(
                sql:
                    "DELETE FROM \(table) WHERE tenant = ? AND alarm NOT IN (\(AlertRouterStore.numbers(for: tenant)))",
                arguments: [tenant.number])
        }
    }

    /// Takes a part of everything away, and its number last; false if nothing was left.
    func forget(limit: Int, _ db: Database) throws -> Bool {
        for (table, key) in [("alert_messages", "seq"), ("alert_latest", "alarm"), ("alert_endpoints", "tenant")] {
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE tenant = ?1 AND \(key) IN (
                        SELECT \(key) FROM \(table) WHERE tenant = ?1 ORDER BY \(key) LIMIT ?2)
                    """, arguments: [tenant.number, limit])
            if db.changesCount > 0 { return true }
        }
        return false
    }
}
