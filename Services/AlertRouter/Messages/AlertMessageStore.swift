internal import GRDB
internal import Models
internal import Storage

/// What a tenant's endpoint has sent and will send again when asked. Every function runs in the caller's transaction.
struct AlertMessageStore {
    let tenant: AlertTenant
    /// How long messages are kept; the last one of each alarm is kept for as long as the alarm.
    var keep: UnixMilliseconds = 8 * 86_400_000
    /// How many messages are kept besides.
    var mostMessages: Int64 = 1_000_000

    /// Messages looked at by one ``trim(after:now:_:)``; bounds how long live alarms wait for it.
    static let trimmedAtOnce = 500

    /// The last number given out; before the first 0, or where numbers begin since a restore.
    func lastSeq(_ db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT last_seq FROM alert_endpoints WHERE tenant = ?")
        return try Int64.fetchOne(statement, arguments: [tenant.number]) ?? AlertLeaps.start(db)
    }

    /// Notes the last number given out, once a transaction.
    static func setLastSeq(_ seq: Int64, ofTenant number: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO alert_endpoints (tenant, last_seq) VALUES (?, ?)")
            .execute(arguments: [number, seq])
    }

    func append(_ message: AlertMessage, alarm: Int64, at now: UnixMilliseconds, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT INTO alert_messages (tenant, seq, at, alarm, topic, header, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            tenant.number, message.seq, now, alarm, message.topic, Blob.value(message.header), Blob.value(message.body),
        ])
    }

    /// Notes which message tells an alarm's present state.
    func setLatest(_ seq: Int64, ofAlarm alarm: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO alert_latest (tenant, alarm, seq) VALUES (?, ?, ?)")
            .execute(arguments: [tenant.number, alarm, seq])
    }

    /// Whether the tenant has been told of an alarm.
    func knows(alarm: Int64, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM alert_latest WHERE tenant = ? AND alarm = ?")
        return try Int.fetchOne(statement, arguments: [tenant.number, alarm]) != nil
    }

    /// Takes old messages away, oldest first.
    ///
    /// - Parameter after: the number to begin after; 0 for a new round.
    /// - Returns: the number to go on after, nil if the round is over.
    func trim(after: Int64, now: UnixMilliseconds, _ db: Database) throws -> Int64? {
        let floor = try AlertLeaps.number(mostMessages, before: lastSeq(db), ofTenant: tenant.number, db)
        let statement = try db.cachedStatement(
            sql: """
                SELECT m.seq, m.at, l.seq FROM alert_messages m
                LEFT JOIN alert_latest l ON l.tenant = m.tenant AND l.alarm = m.alarm
                WHERE m.tenant = ? AND m.seq > ? ORDER BY m.seq LIMIT ?
                """)
        let rows = try Row.fetchAll(statement, arguments: [tenant.number, after, Self.trimmedAtOnce])
        let old = rows.prefix { ($0[1] as Int64) < now - keep || ($0[0] as Int64) <= floor }
        let delete = try db.cachedStatement(sql: "DELETE FROM alert_messages WHERE tenant = ? AND seq = ?")
        for row in old where (row[0] as Int64) != (row[2] as Int64?) {
            try delete.execute(arguments: [tenant.number, row[0] as Int64])
        }
        return old.count == Self.trimmedAtOnce ? old.last.map { $0[0] } : nil
    }

    /// One page of messages after a number, all topics; fewer than `limit` if there are no more up to `last`.
    func page(after seq: Int64, through last: Int64, limit: Int, _ db: Database) throws -> [AlertMessage] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT seq, topic, header, body FROM alert_messages
                WHERE tenant = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?
                """)
        return try Row.fetchAll(statement, arguments: [tenant.number, seq, last, limit]).map { message($0, 0) }
    }

    /// One page of the last messages of alarms, by the numbers of the alarms.
    func latest(
        afterAlarm alarm: Int64, limit: Int, _ db: Database
    ) throws -> (messages: [AlertMessage], lastAlarm: Int64?) {
        let statement = try db.cachedStatement(
            sql: """
                SELECT l.alarm, m.seq, m.topic, m.header, m.body FROM alert_latest l
                JOIN alert_messages m ON m.tenant = l.tenant AND m.seq = l.seq
                WHERE l.tenant = ? AND l.alarm > ? ORDER BY l.alarm LIMIT ?
                """)
        let rows = try Row.fetchAll(statement, arguments: [tenant.number, alarm, limit])
        return (rows.map { message($0, 1) }, rows.last.map { $0[0] })
    }

    private func message(_ row: Row, _ first: Int) -> AlertMessage {
        AlertMessage(
            tenant: tenant.number, seq: row[first], topic: row[first + 1], header: Blob.bytes(row, first + 2),
            body: Blob.bytes(row, first + 3))
    }
}

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
