internal import GRDB
internal import Models
internal import Storage

/// The alarms and the devices counted in them, in the router's database. Every function runs in the caller's transaction.
struct AlertRouterStore {
    /// An alarm with the number of its row.
    struct Stored {
        let number: Int64
        var alarm: Alarm
    }

    static let migrations = [
        Migration(
            "alarms and alert messages",
            sql: """
                CREATE TABLE alarms (
                    number INTEGER PRIMARY KEY, plmn INTEGER NOT NULL, cell INTEGER NOT NULL, severity TEXT NOT NULL,
                    problem INTEGER NOT NULL, raised_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
                    records INTEGER NOT NULL, devices INTEGER NOT NULL, published_at INTEGER NOT NULL, due_at INTEGER,
                    UNIQUE (plmn, cell));
                CREATE INDEX alarms_due ON alarms (due_at) WHERE due_at IS NOT NULL;
                CREATE TABLE alarm_devices (
                    alarm INTEGER NOT NULL REFERENCES alarms (number) ON DELETE CASCADE, device INTEGER NOT NULL,
                    PRIMARY KEY (alarm, device)) WITHOUT ROWID;
                CREATE TABLE alert_endpoints (tenant INTEGER PRIMARY KEY, last_seq INTEGER NOT NULL);
                CREATE TABLE alert_messages (
                    tenant INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, alarm INTEGER NOT NULL,
                    topic TEXT NOT NULL, header BLOB NOT NULL, body BLOB NOT NULL,
                    PRIMARY KEY (tenant, seq)) WITHOUT ROWID;
                CREATE TABLE alert_latest (
                    tenant INTEGER NOT NULL, alarm INTEGER NOT NULL, seq INTEGER NOT NULL,
                    PRIMARY KEY (tenant, alarm)) WITHOUT ROWID;
                """),
        TenantStore.migration, contributions, ContributionErasure.migration, OpenErasures.migration,
        AlertLeaps.migration,
        ContributionRetention.migration, AlertLife.migration,
    ]

    /// A cell in the database: its code, or −1 for none; −2 for the alarm of late erasures, which has no network either, and
    /// below that for those of them that are over.
    private static let noCell: Int64 = -1
    static let lateErasures: Int64 = -2
    static let columns =
        "number, plmn, cell, severity, problem, raised_at, changed_at, records, devices, published_at, due_at"

    func alarm(_ key: AlarmKey, _ db: Database) throws -> Stored? {
        let statement = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM alarms WHERE plmn = ? AND cell = ?")
        return try Row.fetchOne(statement, arguments: [key.plmn.rawValue, Self.code(key)]).map(Self.stored)
    }

    /// The alarm of a row.
    func stored(_ number: Int64, _ db: Database) throws -> Stored? {
        let statement = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM alarms WHERE number = ?")
        return try Row.fetchOne(statement, arguments: [number]).map(Self.stored)
    }

    /// Adds a new alarm and gives back its number.
    func insert(_ alarm: Alarm, _ db: Database) throws -> Int64 {
        try db.cachedStatement(
            sql: """
                INSERT INTO alarms (plmn, cell, severity, problem, raised_at, changed_at, records, devices, published_at, due_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            alarm.key.plmn.rawValue, Self.code(alarm.key), alarm.severity.rawValue, alarm.problem.rawValue,
            alarm.raisedAt, alarm.changedAt, alarm.records, alarm.devices, alarm.publishedAt, alarm.dueAt,
        ])
        return db.lastInsertedRowID
    }

    /// Puts an alarm of late erasures that is over aside, so that a new one can have its key.
    func setAside(_ number: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE alarms SET cell = ? - number WHERE number = ?", arguments: [Self.lateErasures, number])
    }

    func update(_ stored: Stored, _ db: Database) throws {
        let alarm = stored.alarm
        try db.cachedStatement(
            sql: """
                UPDATE alarms SET severity = ?, problem = ?, changed_at = ?, records = ?, devices = ?, published_at = ?,
                    due_at = ? WHERE number = ?
                """
        ).execute(arguments: [
            alarm.severity.rawValue, alarm.problem.rawValue, alarm.changedAt, alarm.records, alarm.devices,
            alarm.publishedAt, alarm.dueAt, stored.number,
        ])
    }

    /// Alarms whose changes are to be told by now, longest due first.
    func due(_ now: UnixMilliseconds, limit: Int, _ db: Database) throws -> [Stored] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.columns) FROM alarms WHERE due_at <= ? ORDER BY due_at, number LIMIT ?")
        return try Row.fetchAll(statement, arguments: [now, limit]).map(Self.stored)
    }

    /// When the next change is to be told.
    func nextDue(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(due_at) FROM alarms WHERE due_at IS NOT NULL"))
    }

    private static func code(_ key: AlarmKey) -> Int64 {
        key.concern == .lateErasures ? lateErasures : key.cell.map { Int64($0.code) } ?? noCell
    }

    static func cell(_ code: Int64) -> Quadkey? {
        code < 0 ? nil : Quadkey(level: Quadkey.finestLevel, code: UInt64(code))
    }

    static func stored(_ row: Row) -> Stored {
        Stored(
            number: row[0],
            alarm: Alarm(
                key: row[2] <= lateErasures
                    ? .lateErasures : AlarmKey(plmn: PLMN(rawValue: row[1]), cell: cell(row[2])),
                severity: Severity(rawValue: row[3]) ?? .indeterminate,
                problem: AlarmProblem(rawValue: row[4]) ?? .badRating,
                raisedAt: row[5], changedAt: row[6], records: row[7], devices: row[8], publishedAt: row[9],
                dueAt: row[10]))
    }
}
