internal import GRDB
internal import Models
internal import Storage

/// SQL of what contacts made of alarms, in the caller's transaction.
struct CareStore {
    static let migration = Migration(
        "handling of alarms",
        sql: """
            CREATE TABLE alarm_care (
                alarm TEXT NOT NULL, tenant TEXT NOT NULL, version INTEGER NOT NULL, acknowledged INTEGER NOT NULL,
                hidden INTEGER NOT NULL, reminders INTEGER NOT NULL, call INTEGER, contacts TEXT NOT NULL,
                channels TEXT NOT NULL, PRIMARY KEY (alarm, tenant)) STRICT, WITHOUT ROWID;
            ALTER TABLE told_alarms ADD COLUMN reminders INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE told_alarms ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE deliveries ADD COLUMN tenant TEXT;
            """)

    static let offers = Migration(
        "offers of alarms",
        sql: """
            ALTER TABLE alarm_care ADD COLUMN offered_to TEXT;
            ALTER TABLE alarm_care ADD COLUMN offered_at INTEGER;
            ALTER TABLE told_alarms ADD COLUMN offers INTEGER NOT NULL DEFAULT 0;
            """)

    let db: Database

    init(_ db: Database) { self.db = db }

    func care(_ alarm: String, of tenant: String) throws -> AlarmCare {
        let statement = try db.cachedStatement(sql: "SELECT * FROM alarm_care WHERE alarm = ? AND tenant = ?")
        return try Row.fetchOne(statement, arguments: [alarm, tenant]).map(Self.care) ?? .none
    }

    /// What each tenant's contacts made of an alarm, where they have made anything of it.
    func cares(_ alarm: String) throws -> [String: AlarmCare] {
        let statement = try db.cachedStatement(sql: "SELECT * FROM alarm_care WHERE alarm = ?")
        return try Row.fetchAll(statement, arguments: [alarm]).reduce(into: [:]) { $0[$1["tenant"]] = Self.care($1) }
    }

    func put(_ care: AlarmCare, _ alarm: String, of tenant: String) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO alarm_care
                    (alarm, tenant, version, acknowledged, hidden, reminders, call, contacts, channels, offered_to,
                    offered_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            alarm, tenant, care.version, care.isAcknowledged, care.isHidden, care.reminders, care.call?.number,
            Self.text(care.call?.contacts), Self.text(care.call?.channels), care.offer?.to, care.offer?.at,
        ])
    }

    func remove(_ alarm: String, of tenant: String) throws {
        try db.execute(sql: "DELETE FROM alarm_care WHERE alarm = ? AND tenant = ?", arguments: [alarm, tenant])
    }

    private static func care(_ row: Row) -> AlarmCare {
        var care = AlarmCare()
        care.version = row["version"]
        care.isAcknowledged = row["acknowledged"]
        care.isHidden = row["hidden"]
        care.reminders = row["reminders"]
        if let number: Int64 = row["call"] {
            care.call = .init(number: number, contacts: names(row["contacts"]), channels: names(row["channels"]))
        }
        if let to: String = row["offered_to"], let at: UnixMilliseconds = row["offered_at"] {
            care.offer = .init(to: to, at: at)
        }
        return care
    }

    /// Names have no line breaks.
    private static func text(_ names: Set<String>?) -> String { (names ?? []).sorted().joined(separator: "\n") }

    private static func names(_ text: String) -> Set<String> { Set(text.split(separator: "\n").map(String.init)) }
}
