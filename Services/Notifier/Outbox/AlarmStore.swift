internal import Foundation
internal import GRDB
internal import Models
internal import NotifierMessages

/// SQL of alarms and of what channels were told of them, in the caller's transaction.
struct AlarmStore {
    let db: Database

    init(_ db: Database) { self.db = db }

    /// Keeps an alarm that goes on, and forgets one that is over.
    func put(_ alarm: AlarmFact, networks: Set<PLMN>) throws {
        guard !alarm.isCleared else {
            return try db.cachedStatement(sql: "DELETE FROM open_alarms WHERE id = ?").execute(arguments: [alarm.id])
        }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO open_alarms (id, document, networks) VALUES (?, ?, ?)")
            .execute(arguments: [
                alarm.id, Data(alarm.bytes), networks.map(\.text).sorted().joined(separator: " "),
            ])
    }

    /// Forgets an alarm that is gone from the lane.
    func remove(_ alarm: String) throws {
        try db.execute(sql: "DELETE FROM open_alarms WHERE id = ?", arguments: [alarm])
        try db.execute(sql: "DELETE FROM told_alarms WHERE alarm = ?", arguments: [alarm])
    }

    /// An alarm that goes on.
    func open(_ alarm: String) throws -> (alarm: AlarmFact, networks: Set<PLMN>)? {
        let statement = try db.cachedStatement(sql: "SELECT document, networks FROM open_alarms WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [alarm]).flatMap { row in
            AlarmFact(Array(row[0] as Data)).map { ($0, Self.networks(row[1])) }
        }
    }

    /// Alarms that go on, by their names.
    func open(after id: String, limit: Int) throws -> [(alarm: AlarmFact, networks: Set<PLMN>)] {
        try Row.fetchAll(
            db, sql: "SELECT document, networks FROM open_alarms WHERE id > ? ORDER BY id LIMIT ?",
            arguments: [id, limit]
        ).compactMap { row in
            AlarmFact(Array(row[0] as Data)).map { ($0, Self.networks(row[1])) }
        }
    }

    func told(_ channel: String, _ alarm: String) throws -> ToldAlarm? {
        let statement = try db.cachedStatement(
            sql: "SELECT severity, changes, reminders, calls, offers FROM told_alarms WHERE channel = ? AND alarm = ?")
        return try Row.fetchOne(statement, arguments: [channel, alarm]).map { row in
            ToldAlarm(
                severity: Severity(rawValue: row[0]) ?? .indeterminate, changes: row[1], reminders: row[2],
                calls: row[3], offers: row[4])
        }
    }

    /// Notes what a channel was told; nil forgets it.
    func note(_ told: ToldAlarm?, _ channel: String, _ alarm: String) throws {
        guard let told else {
            return try db.cachedStatement(sql: "DELETE FROM told_alarms WHERE channel = ? AND alarm = ?")
                .execute(arguments: [channel, alarm])
        }
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO told_alarms (channel, alarm, severity, changes, reminders, calls, offers)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            channel, alarm, told.severity.rawValue, told.changes, told.reminders, told.calls, told.offers,
        ])
    }

    func forget(channel: String) throws {
        try db.execute(sql: "DELETE FROM told_alarms WHERE channel = ?", arguments: [channel])
    }

    /// Networks as the lane has them: texts with blanks between.
    static func networks(_ text: String) -> Set<PLMN> {
        Set(text.split(separator: " ").compactMap { PLMN(text: String($0)) })
    }
}
