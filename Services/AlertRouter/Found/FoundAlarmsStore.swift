internal import GRDB
internal import Models
internal import Storage

/// Which alarm an episode of a rule is, and how far the windows' outbox has been taken over. Every function runs in the caller's
/// transaction.
struct FoundAlarmsStore {
    static let migration = Migration(
        "alarms of rules",
        sql: """
            ALTER TABLE alarms ADD COLUMN type TEXT;
            ALTER TABLE alarms ADD COLUMN cause TEXT;
            ALTER TABLE alarms ADD COLUMN words TEXT;
            ALTER TABLE alarms ADD COLUMN french TEXT;
            CREATE TABLE found_alarms (
                rule TEXT NOT NULL, owner_scheme TEXT NOT NULL, owner INTEGER NOT NULL, scheme TEXT NOT NULL,
                subject TEXT NOT NULL, episode INTEGER NOT NULL,
                alarm INTEGER NOT NULL REFERENCES alarms (number) ON DELETE CASCADE,
                PRIMARY KEY (rule, owner_scheme, owner, scheme, subject, episode)) WITHOUT ROWID;
            CREATE INDEX found_alarms_by_alarm ON found_alarms (alarm);
            CREATE TABLE found_transitions (
                only INTEGER PRIMARY KEY CHECK (only = 1), life INTEGER NOT NULL, taken INTEGER NOT NULL) STRICT;
            """)

    static let parents = Migration(
        "parents of storms",
        sql: """
            ALTER TABLE alarms ADD COLUMN parent TEXT;
            ALTER TABLE alarms ADD COLUMN child_count INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE alarms ADD COLUMN children TEXT NOT NULL DEFAULT '';
            """)

    let db: Database

    init(_ db: Database) { self.db = db }

    /// The last transition that was taken over, and of which life of the windows.
    func taken() throws -> (life: Int64, number: Int64)? {
        try Row.fetchOne(db, sql: "SELECT life, taken FROM found_transitions").map { ($0[0], $0[1]) }
    }

    func take(through number: Int64, of life: Int64) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO found_transitions (only, life, taken) VALUES (1, ?, ?)",
            arguments: [life, number])
    }

    func alarm(_ key: FoundTransition.Key) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT alarm FROM found_alarms WHERE rule = ? AND owner_scheme = ? AND owner = ? AND scheme = ?
                        AND subject = ? AND episode = ?
                    """), arguments: Self.arguments(key))
    }

    func add(_ key: FoundTransition.Key, alarm: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO found_alarms (rule, owner_scheme, owner, scheme, subject, episode, alarm)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, arguments: Self.arguments(key) + [alarm])
    }

    /// Alarms of rules that are not over, children before their parents.
    func open() throws -> [Int64] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT number FROM found_alarms JOIN alarms ON number = alarm WHERE cleared_at IS NULL
                ORDER BY child_count > 0, number
                """)
    }

    /// The episodes of a life that is over mean nothing any more; their alarms stay.
    func forgetEpisodes() throws { try db.execute(sql: "DELETE FROM found_alarms") }

    private static func arguments(_ key: FoundTransition.Key) -> StatementArguments {
        [key.rule, key.owner.scheme, key.owner.number, key.subject.scheme, key.subject.text, key.episode]
    }
}
