internal import GRDB
internal import Models
internal import Storage

/// The tenants and what is still to be done for them, in the router's database. Every function runs in the caller's
/// transaction.
struct TenantStore {
    static let migration = Migration(
        "tenants, serving networks of alarms, announced endpoints",
        sql: """
            CREATE TABLE tenants (
                number INTEGER PRIMARY KEY, name TEXT NOT NULL, networks TEXT NOT NULL, is_regulator INTEGER NOT NULL,
                client_public_key TEXT NOT NULL, told_through INTEGER NOT NULL, tell_through INTEGER NOT NULL,
                state INTEGER NOT NULL);
            CREATE UNIQUE INDEX tenants_present ON tenants (name) WHERE state = 0;
            CREATE TABLE alarm_networks (
                alarm INTEGER NOT NULL REFERENCES alarms (number) ON DELETE CASCADE, plmn INTEGER NOT NULL,
                PRIMARY KEY (alarm, plmn)) WITHOUT ROWID;
            CREATE TABLE announced_endpoints (tenant TEXT PRIMARY KEY, document BLOB NOT NULL) WITHOUT ROWID;
            """)

    /// A tenant that has not been told yet of all the alarms that were there before it.
    struct Newcomer {
        let tenant: AlertTenant
        let after: Int64
        let through: Int64
    }

    /// What a row says of its tenant: present; removed, with messages left; nothing left but the number.
    private enum State: Int64 { case present, leaving, gone }

    private static let columns = "number, name, scopes, is_regulator, client_public_key"

    func register(_ db: Database) throws -> TenantRegister {
        let present = try Row.fetchAll(
            db, sql: "SELECT \(Self.columns) FROM tenants WHERE state = ?", arguments: [State.present.rawValue])
        let spent = try Int64.fetchSet(
            db, sql: "SELECT number FROM tenants WHERE state <> ?", arguments: [State.present.rawValue])
        return TenantRegister(tenants: present.map(Self.tenant), spent: spent)
    }

    /// Adds a tenant or changes it; it is to be told all alarms there are.
    func put(_ tenant: AlertTenant, _ db: Database) throws {
        let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM alarms") ?? 0
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO tenants (\(Self.columns), told_through, tell_through, state)
                VALUES (?, ?, ?, ?, ?, 0, ?, ?)
                """,
            arguments: [
                tenant.number, tenant.name, tenant.scopes.map(\.text).sorted().joined(separator: " "),
                tenant.isRegulator, tenant.clientPublicKey ?? "", last, State.present.rawValue,
            ])
    }

    /// From now on nothing is left of a tenant but its number and messages that go in parts.
    func remove(_ tenant: AlertTenant, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE tenants SET state = ?, scopes = '', client_public_key = '' WHERE number = ?",
            arguments: [State.leaving.rawValue, tenant.number])
    }

    /// Takes a part of the messages of removed tenants away; true if there may be more.
    func forget(limit: Int, _ db: Database) throws -> Bool {
        let sql = "SELECT \(Self.columns) FROM tenants WHERE state = ? ORDER BY number LIMIT 1"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [State.leaving.rawValue]) else { return false }
        let tenant = Self.tenant(row)
        if try AlertMessageStore(tenant: tenant).forget(limit: limit, db) { return true }
        try db.execute(
            sql: "UPDATE tenants SET state = ? WHERE number = ?", arguments: [State.gone.rawValue, tenant.number])
        return true
    }

    func newcomer(_ db: Database) throws -> Newcomer? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT \(Self.columns), told_through, tell_through FROM tenants
                WHERE state = ? AND told_through < tell_through ORDER BY number LIMIT 1
                """, arguments: [State.present.rawValue])
        return row.map { Newcomer(tenant: Self.tenant($0), after: $0[5], through: $0[6]) }
    }

    /// A newcomer has been told of alarms up to this number.
    func setTold(through alarm: Int64, _ tenant: AlertTenant, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE tenants SET told_through = ? WHERE number = ?", arguments: [alarm, tenant.number])
    }

    private static func tenant(_ row: Row) -> AlertTenant {
        let scopes: String = row[2]
        return AlertTenant(
            number: row[0], name: row[1],
            scopes: Set(scopes.split(separator: " ").compactMap { Scope(text: String($0)) }),
            isRegulator: row[3], clientPublicKey: row[4])
    }
}
