internal import Foundation
internal import GRDB
internal import Models
internal import NotifierMessages
internal import Storage

/// SQL of the outbox, in the caller's transaction.
struct OutboxStore {
    let db: Database

    init(_ db: Database) { self.db = db }

    /// Adds a delivery. One of that name that has ended begins anew, one that waits stays as it is: a channel that was removed and
    /// set again is told again.
    func add(_ delivery: Delivery) throws {
        // What an alarm did later is told later; Alertmanager is told how things stand, in any order.
        let earlier = try UnixMilliseconds.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(due_at) FROM deliveries
                    WHERE state = 0 AND channel = ? AND alarm = ? AND transition <> 'firing'
                    """),
            arguments: [delivery.channel, delivery.alarm])
        try db.cachedStatement(
            sql: """
                INSERT INTO deliveries
                    (id, channel, tenant, alarm, transition, previous, document, state, attempts, reason, created_at,
                    changed_at, due_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, '', ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET state = 0, attempts = 0, reason = '', document = excluded.document,
                    created_at = excluded.created_at, changed_at = excluded.changed_at, due_at = excluded.due_at
                WHERE state > 0
                """
        ).execute(arguments: [
            delivery.id, delivery.channel, delivery.tenant, delivery.alarm, delivery.transition,
            delivery.previous?.rawValue,
            Data(delivery.document), delivery.createdAt, delivery.changedAt, max(delivery.dueAt, earlier ?? .min),
        ])
    }

    /// Puts down how far a delivery is; what the same alarm did later waits for it.
    func save(_ delivery: Delivery) throws {
        try db.cachedStatement(
            sql: "UPDATE deliveries SET state = ?, attempts = ?, reason = ?, changed_at = ?, due_at = ? WHERE id = ?"
        ).execute(arguments: [
            delivery.state.number, delivery.attempts, delivery.reason, delivery.changedAt, delivery.dueAt, delivery.id,
        ])
        guard delivery.state == .waiting, delivery.transition != Delivery.firing else { return }
        try db.cachedStatement(
            sql: """
                UPDATE deliveries SET due_at = ?1 WHERE state = 0 AND channel = ?2 AND alarm = ?3 AND due_at < ?1
                    AND seq > (SELECT seq FROM deliveries WHERE id = ?4)
                """
        ).execute(arguments: [delivery.dueAt, delivery.channel, delivery.alarm, delivery.id])
    }

    /// A dead letter is sent again, as if it were new.
    func restart(_ delivery: Delivery) throws {
        try save(delivery)
        try db.execute(
            sql: "UPDATE deliveries SET created_at = ?, reason = '' WHERE id = ?",
            arguments: [delivery.createdAt, delivery.id])
    }

    func delivery(_ id: String) throws -> Delivery? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM deliveries WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(Delivery.init)
    }

    /// What is due of a channel: one-time codes, which are over in minutes, then the longest due first.
    func due(_ channel: String, _ now: UnixMilliseconds, limit: Int) throws -> [Delivery] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT * FROM deliveries WHERE state = 0 AND channel = ? AND due_at <= ?
                ORDER BY transition <> '\(Delivery.codeWord)', due_at, seq LIMIT ?
                """)
        return try Row.fetchAll(statement, arguments: [channel, now, limit]).map(Delivery.init)
    }

    func nextDue(_ channel: String) throws -> UnixMilliseconds? {
        let statement = try db.cachedStatement(
            sql: "SELECT min(due_at) FROM deliveries WHERE state = 0 AND channel = ?")
        return try UnixMilliseconds.fetchOne(statement, arguments: [channel])
    }

    /// When the digest that deliveries of a channel wait for leaves; nil if none waits for its first try.
    func digestAt(_ channel: String) throws -> UnixMilliseconds? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT due_at FROM deliveries
                WHERE state = 0 AND channel = ? AND attempts = 0 AND transition <> 'code' ORDER BY due_at LIMIT 1
                """)
        return try UnixMilliseconds.fetchOne(statement, arguments: [channel])
    }

    /// How many wait of a channel.
    func waiting(_ channel: String) throws -> Int {
        let statement = try db.cachedStatement(sql: "SELECT count(*) FROM deliveries WHERE state = 0 AND channel = ?")
        return try Int.fetchOne(statement, arguments: [channel]) ?? 0
    }

    /// How many there are in a state.
    func count(_ state: DeliveryDocument.State) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT count(*) FROM deliveries WHERE state \(state == .waiting ? "= 0" : "> 0 AND state = ?")")
        return try Int64.fetchOne(statement, arguments: state == .waiting ? [] : [state.number]) ?? 0
    }

    /// Deliveries of a channel, or of all, in a state or in any, the newest first.
    func page(channel: String?, state: DeliveryDocument.State?, limit: Int) throws -> [Delivery] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM deliveries WHERE (?1 IS NULL OR channel = ?1) AND (?2 IS NULL OR state = ?2)
                ORDER BY seq DESC LIMIT ?3
                """, arguments: [channel, state?.number, limit]
        ).map(Delivery.init)
    }

    /// Forgets the alarm that fires: it is over, or its channel is.
    func endFiring(_ channel: String, alarm: String? = nil) throws {
        try db.execute(
            sql: """
                DELETE FROM deliveries WHERE state = 0 AND channel = ?1 AND (?2 IS NULL OR alarm = ?2) AND transition = 'firing'
                """, arguments: [channel, alarm])
    }

    /// What fires is told as it is now, at the given time.
    func refire(_ channel: String, _ alarm: AlarmFact, dueAt: UnixMilliseconds?) throws {
        try db.cachedStatement(
            sql: """
                UPDATE deliveries SET document = ?, due_at = min(due_at, ?)
                WHERE state = 0 AND channel = ? AND alarm = ? AND transition = 'firing'
                """
        ).execute(arguments: [Data(alarm.bytes), dueAt ?? .max, channel, alarm.id])
    }

    /// Ends what waits of a channel; what it was.
    func giveUp(_ channel: String, _ reason: String, _ now: UnixMilliseconds) throws -> [Delivery] {
        let waiting = try Row.fetchAll(
            db, sql: "SELECT * FROM deliveries WHERE state = 0 AND channel = ?", arguments: [channel]
        ).map(Delivery.init)
        return try waiting.map { delivery in
            var delivery = delivery
            (delivery.state, delivery.reason, delivery.changedAt) = (.dead, reason, now)
            try save(delivery)
            return delivery
        }
    }

    /// Takes out what ended before a time, and what is beyond a number; the names of what went.
    func expire(before: UnixMilliseconds, most: Int64, limit: Int) throws -> [String] {
        let excess = try max(count(.delivered) + count(.dead) - most, 0)
        let ids = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM (SELECT id, changed_at, row_number() OVER (ORDER BY changed_at, seq) AS place
                    FROM deliveries WHERE state > 0 ORDER BY changed_at, seq LIMIT ?1)
                WHERE changed_at < ?2 OR place <= ?3
                """, arguments: [limit, before, excess])
        let statement = try db.cachedStatement(sql: "DELETE FROM deliveries WHERE id = ?")
        for id in ids { try statement.execute(arguments: [id]) }
        return ids
    }
}
