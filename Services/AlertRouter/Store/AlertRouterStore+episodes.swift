internal import GRDB
internal import Models
internal import Storage

/// Which alarms may be over, and how many there were of a key. Every function runs in the caller's transaction.
extension AlertRouterStore {
    /// Alarms that are open since before go on until they have been silent for long enough.
    ///
    /// `over_at` is not moved with each record: an alarm that had news meanwhile is looked at again later.
    static let episodes = Migration(
        "ends and episodes of alarms",
        sql: """
            ALTER TABLE alarms ADD COLUMN cleared_at INTEGER;
            ALTER TABLE alarms ADD COLUMN over_at INTEGER;
            UPDATE alarms SET cleared_at = changed_at WHERE severity = 'cleared';
            UPDATE alarms SET over_at = changed_at + 3600000 WHERE severity <> 'cleared' AND rule = 'urgent';
            CREATE INDEX alarms_over ON alarms (over_at) WHERE over_at IS NOT NULL;
            CREATE TABLE alarm_episodes (
                owner_scheme TEXT NOT NULL, owner INTEGER NOT NULL, scheme TEXT NOT NULL, rule TEXT NOT NULL,
                subject TEXT NOT NULL, episode INTEGER NOT NULL,
                PRIMARY KEY (owner_scheme, owner, scheme, rule, subject)) STRICT, WITHOUT ROWID;
            CREATE TABLE alarm_episode_leaps (after INTEGER PRIMARY KEY) STRICT;
            """)

    /// More alarms of one key than there were between a backup and the loss of its home, besides one a second.
    static let episodeLeap: Int64 = 1_000

    /// The episode of a key's next alarm.
    ///
    /// - Parameter last: that of its last alarm; nil if there is none any more.
    func nextEpisode(of key: AlarmKey, after last: Int64?, _ db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: """
                SELECT max(
                    coalesce((SELECT max(after) FROM alarm_episode_leaps), 0),
                    coalesce((SELECT episode FROM alarm_episodes WHERE owner_scheme = ? AND owner = ? AND scheme = ?
                        AND rule = ? AND subject = ?), 0))
                """)
        let spent = try Int64.fetchOne(
            statement,
            arguments: [
                key.owner?.scheme ?? "", key.owner?.number ?? 0, key.subject.scheme, key.rule, key.subject.text,
            ])
        return max(spent ?? 0, last ?? 0) + 1
    }

    /// Keeps the number of an alarm that goes: it is not given to another one.
    static func keepEpisode(of number: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO alarm_episodes SELECT owner_scheme, owner, scheme, rule, subject, episode FROM alarms
                    WHERE number = ? ON CONFLICT DO UPDATE SET episode = max(episode, excluded.episode)
                """, arguments: [number])
    }

    /// Lets the episodes of all keys go on far ahead: the home was restored, and later ones were given out already.
    static func leapEpisodes(_ db: Database, by width: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO alarm_episode_leaps SELECT ? + max(
                    coalesce((SELECT max(after) FROM alarm_episode_leaps), 0),
                    coalesce((SELECT max(episode) FROM alarm_episodes), 0),
                    coalesce((SELECT max(episode) FROM alarms), 0))
                """, arguments: [width])
    }

    /// Alarms that are over by a moment unless there was news, longest first.
    func over(by moment: UnixMilliseconds, limit: Int, _ db: Database) throws -> [Stored] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.columns) FROM alarms WHERE over_at <= ? ORDER BY over_at, number LIMIT ?")
        return try Row.fetchAll(statement, arguments: [moment, limit]).map(stored)
    }

    /// When the next one may be over.
    func nextOver(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(over_at) FROM alarms WHERE over_at IS NOT NULL"))
    }

    /// Notes when an alarm is looked at again.
    func setOver(_ stored: Stored, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE alarms SET over_at = ? WHERE number = ?")
            .execute(arguments: [stored.alarm.overAt, stored.number])
    }
}
