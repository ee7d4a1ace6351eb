internal import GRDB
internal import Models
internal import Storage

/// How alarms of rules stand beside each other. Every function runs in the caller's transaction.
extension FoundAlarmsStore {
    /// Moments are those of the rules' watermark.
    static let standings = Migration(
        "alarms that others speak for",
        sql: """
            ALTER TABLE alarms ADD COLUMN suppressed_by TEXT;
            ALTER TABLE alarms ADD COLUMN flapping INTEGER NOT NULL DEFAULT 0;
            CREATE TABLE found_standings (
                alarm INTEGER PRIMARY KEY REFERENCES alarms (number) ON DELETE CASCADE, hold_clear INTEGER NOT NULL,
                lateness INTEGER NOT NULL, flood INTEGER, is_open INTEGER NOT NULL DEFAULT 1, told_due INTEGER,
                quiet_at INTEGER, quiet_due INTEGER) STRICT;
            CREATE INDEX found_standings_of_flood ON found_standings (flood) WHERE flood IS NOT NULL AND is_open = 1;
            CREATE INDEX found_standings_untold ON found_standings (told_due) WHERE told_due IS NOT NULL;
            CREATE INDEX found_standings_quiet ON found_standings (quiet_due) WHERE quiet_due IS NOT NULL;
            CREATE INDEX alarms_found_open ON alarms (owner_scheme, owner, cause, subject)
                WHERE cleared_at IS NULL AND cause IS NOT NULL;
            CREATE INDEX alarms_suppressed ON alarms (suppressed_by)
                WHERE cleared_at IS NULL AND suppressed_by IS NOT NULL;
            CREATE TABLE found_budgets (
                owner_scheme TEXT NOT NULL, owner INTEGER NOT NULL, minute INTEGER NOT NULL, told INTEGER NOT NULL,
                PRIMARY KEY (owner_scheme, owner)) STRICT, WITHOUT ROWID;
            """)

    static let children = Migration(
        "children of parents",
        sql: "CREATE INDEX alarms_of_parent ON alarms (parent) WHERE cleared_at IS NULL AND parent IS NOT NULL")

    /// A flood that speaks for an alarm.
    struct Flood: Sendable, Equatable {
        let number: Int64
        let id: String
    }

    struct Standing {
        /// How long its rule waits before it clears, and for rows that come late.
        var holdClear: UnixMilliseconds = 0
        var lateness: UnixMilliseconds = 0
        /// Nil if none speaks for it.
        var flood: Flood?
        /// When it is told on its own; nil while its cause goes on, or if it has none.
        var toldDue: UnixMilliseconds?
        /// Since when an alarm that flaps is quiet; nil while it is not.
        var quietAt: UnixMilliseconds?
    }

    /// Empty for an alarm of no rule, or of before there were any.
    func standing(_ alarm: Int64) throws -> Standing {
        let statement = try db.cachedStatement(
            sql: """
                SELECT hold_clear, lateness, flood, (SELECT id FROM alarms WHERE number = flood), told_due, quiet_at
                FROM found_standings WHERE alarm = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [alarm]) else { return Standing() }
        let number: Int64? = row[2], id: String? = row[3]
        return Standing(
            holdClear: row[0], lateness: row[1],
            flood: number.flatMap { number in id.map { Flood(number: number, id: $0) } }, toldDue: row[4],
            quietAt: row[5])
    }

    func add(_ standing: Standing, of alarm: Alarm, _ number: Int64) throws {
        try db.cachedStatement(
            sql: "INSERT INTO found_standings (alarm, hold_clear, lateness, flood) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [number, standing.holdClear, standing.lateness, standing.flood?.number])
        guard alarm.suppressedBy != nil || alarm.isFlapping else { return }
        try db.cachedStatement(sql: "UPDATE alarms SET suppressed_by = ?, flapping = ? WHERE number = ?")
            .execute(arguments: [alarm.suppressedBy, alarm.isFlapping ? 1 : 0, number])
    }

    /// Nothing is due of an alarm that is over.
    func end(_ alarm: Int64) throws {
        try db.cachedStatement(
            sql:
                "UPDATE found_standings SET is_open = 0, told_due = NULL, quiet_at = NULL, quiet_due = NULL WHERE alarm = ?"
        ).execute(arguments: [alarm])
    }

    func setCause(_ cause: String?, _ alarm: Int64) throws {
        try db.cachedStatement(sql: "UPDATE alarms SET suppressed_by = ? WHERE number = ?")
            .execute(arguments: [cause, alarm])
    }

    func setTold(due: UnixMilliseconds?, _ alarm: Int64) throws {
        try db.cachedStatement(sql: "UPDATE found_standings SET told_due = ? WHERE alarm = ?")
            .execute(arguments: [due, alarm])
    }

    func setQuiet(since quietAt: UnixMilliseconds?, due: UnixMilliseconds?, _ alarm: Int64) throws {
        try db.cachedStatement(sql: "UPDATE found_standings SET quiet_at = ?, quiet_due = ? WHERE alarm = ?")
            .execute(arguments: [quietAt, due, alarm])
    }

    /// Open alarms that one speaks for, or did until now.
    func symptoms(of cause: String) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT number FROM alarms WHERE suppressed_by = ? AND cleared_at IS NULL ORDER BY number"),
            arguments: [cause])
    }

    /// Open alarms that another is the parent of, or was until now.
    func children(of parent: String) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT number FROM alarms WHERE parent = ? AND cleared_at IS NULL ORDER BY number"),
            arguments: [parent])
    }

    /// A flood that is over speaks for no alarm any more that is open.
    func endFlood(_ flood: Int64) throws {
        try db.cachedStatement(sql: "UPDATE found_standings SET flood = NULL WHERE flood = ? AND is_open = 1")
            .execute(arguments: [flood])
    }

    func hasOpen(inFlood flood: Int64) throws -> Bool {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM found_standings WHERE flood = ? AND is_open = 1 LIMIT 1"),
            arguments: [flood]) != nil
    }

    /// Alarms that are told on their own by a moment.
    func untold(by moment: UnixMilliseconds, limit: Int) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT alarm FROM found_standings WHERE told_due <= ? ORDER BY told_due, alarm LIMIT ?"),
            arguments: [moment, limit])
    }

    /// Alarms that flapped and are over by a moment.
    func quiet(by moment: UnixMilliseconds, limit: Int) throws -> [(alarm: Int64, quietAt: UnixMilliseconds)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql:
                    "SELECT alarm, quiet_at FROM found_standings WHERE quiet_due <= ? ORDER BY quiet_due, alarm LIMIT ?"
            ),
            arguments: [moment, limit]
        ).map { ($0[0], $0[1]) }
    }

    /// When an alarm is looked at next.
    func nextLook() throws -> UnixMilliseconds? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT (SELECT min(told_due) FROM found_standings WHERE told_due IS NOT NULL),
                        (SELECT min(quiet_due) FROM found_standings WHERE quiet_due IS NOT NULL)
                    """))
        return [row?[0] as UnixMilliseconds?, row?[1]].compactMap(\.self).min()
    }

    /// Whether an episode is the last one that was found of an alarm.
    func isLatest(_ key: FoundTransition.Key, of alarm: Int64) throws -> Bool {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT max(episode) FROM found_alarms WHERE alarm = ?"), arguments: [alarm])
            == key.episode
    }

    /// Whether a new alarm would be the third of its key within so long.
    func isFlapping(_ key: AlarmKey, raisedAt: UnixMilliseconds, within length: UnixMilliseconds) throws -> Bool {
        let last = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT raised_at FROM alarms
                    WHERE owner_scheme = ? AND owner = ? AND scheme = ? AND rule = ? AND subject = ?
                    ORDER BY episode DESC LIMIT 1 OFFSET 1
                    """),
            arguments: [
                key.owner?.scheme ?? "", key.owner?.number ?? 0, key.subject.scheme, key.rule, key.subject.text,
            ])
        return last.map { (0...length).contains(raisedAt - $0) } ?? false
    }
}
