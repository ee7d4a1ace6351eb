public import GRDB
public import Models

/// Who failed to prove who they are: in which minute, from which part of the network, why and how often. Never with what
/// was given.
public struct FailedAuthentication: Sendable, Equatable {
    /// The last so many rows are kept, and none longer than ``age``.
    public static let limit = 10_000
    /// 30 days.
    public static let age: UnixMilliseconds = 30 * 86_400_000
    /// So many are shown at once.
    public static let shown = 100

    public let prefix: AddressPrefix
    /// A stable word: `unknown_token`.
    public let reason: String
    /// Failures of the minute.
    public let count: Int64
    /// When the last of them was.
    public let last: UnixMilliseconds

    public init(prefix: AddressPrefix, reason: String, count: Int64 = 1, last: UnixMilliseconds) {
        self.prefix = prefix
        self.reason = reason
        self.count = count
        self.last = last
    }

    /// Minutes since 1970.
    var minute: Int64 { last / 60_000 }

    /// Makes the table, for a migration.
    public static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE failed_authentications (
                    minute INTEGER NOT NULL, prefix TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL,
                    last INTEGER NOT NULL, PRIMARY KEY (minute, prefix, reason)) STRICT, WITHOUT ROWID
                """)
    }

    /// Adds failures to those of their minute, prefix and reason, and forgets what is old or too much.
    ///
    /// - Parameter now: what is older than ``age`` goes.
    public static func store(_ failures: [FailedAuthentication], now: UnixMilliseconds, _ db: Database) throws {
        for failure in failures {
            try db.execute(
                sql: """
                    INSERT INTO failed_authentications (minute, prefix, reason, count, last) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count, last = max(last, excluded.last)
                    """,
                arguments: [failure.minute, failure.prefix.text, failure.reason, failure.count, failure.last])
        }
        try db.execute(
            sql: "DELETE FROM failed_authentications WHERE minute < ?", arguments: [(now - age) / 60_000])
        try db.execute(
            sql: """
                DELETE FROM failed_authentications WHERE (minute, prefix, reason) IN (
                    SELECT minute, prefix, reason FROM failed_authentications
                    ORDER BY minute DESC, prefix DESC, reason DESC LIMIT -1 OFFSET ?)
                """, arguments: [limit])
    }

    /// The last ``shown``, the newest first.
    public static func newest(_ db: Database) throws -> [FailedAuthentication] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT prefix, reason, count, last FROM failed_authentications
                WHERE minute >= (SELECT min(minute) FROM (
                    SELECT minute FROM failed_authentications ORDER BY minute DESC LIMIT ?))
                ORDER BY last DESC LIMIT ?
                """, arguments: [shown, shown]
        ).map { row in
            FailedAuthentication(
                prefix: AddressPrefix(text: row[0]), reason: row[1], count: row[2], last: row[3])
        }
    }

    /// As a control socket tells it.
    public var document: JSONValue {
        [
            "at_ms": .integer(last), "prefix": .string(prefix.text), "reason": .string(reason),
            "count": .integer(count),
        ]
    }
}
