package import GRDB
internal import ServiceKit

/// Tables of who may see what: tenants, their contacts, sessions, log-ins that failed; and what operators publish.
///
/// Times are Unix milliseconds. A removed tenant and a revoked contact keep their rows, so that numbers and names never
/// come again.
package enum AccessSchema {
    package static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE tenants (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, plmns TEXT NOT NULL,
                    regulator INTEGER NOT NULL, original_ids INTEGER NOT NULL, client_public_key TEXT NOT NULL,
                    created_at INTEGER NOT NULL, removed_at INTEGER);
                CREATE TABLE contacts (
                    number INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL,
                    token BLOB NOT NULL UNIQUE, created_at INTEGER NOT NULL, revoked_at INTEGER);
                CREATE UNIQUE INDEX contacts_by_name ON contacts (tenant, name) WHERE revoked_at IS NULL;
                CREATE TABLE sessions (
                    name BLOB PRIMARY KEY, token BLOB NOT NULL, begun_at INTEGER NOT NULL, ends_at INTEGER NOT NULL)
                    WITHOUT ROWID;
                CREATE TABLE failed_logins (
                    number INTEGER PRIMARY KEY, at INTEGER NOT NULL, prefix TEXT NOT NULL, reason TEXT NOT NULL);
                CREATE TABLE endpoints (tenant TEXT PRIMARY KEY, document BLOB NOT NULL) WITHOUT ROWID;
                CREATE TABLE operations (
                    kind INTEGER NOT NULL, key TEXT NOT NULL, document BLOB NOT NULL, PRIMARY KEY (kind, key))
                    WITHOUT ROWID;
                """)
    }

    /// Failures of a minute, prefix and reason become one row.
    package static func countFailures(_ db: Database) throws {
        try FailedAuthentication.createTable(db)
        try db.execute(
            sql: """
                INSERT INTO failed_authentications (minute, prefix, reason, count, last)
                    SELECT at / 60000, prefix, reason, count(*), max(at) FROM failed_logins GROUP BY 1, 2, 3;
                DROP TABLE failed_logins;
                """)
    }

    /// What tenants own in schemes of other programmes: texts of ``Scope``, commas between them.
    package static func addScopes(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE tenants ADD COLUMN scopes TEXT NOT NULL DEFAULT ''")
    }
}
