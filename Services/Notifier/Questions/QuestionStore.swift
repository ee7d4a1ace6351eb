internal import Foundation
internal import GRDB
internal import Models
internal import ServiceKit
internal import Storage

/// SQL of questions to subscribers' browsers, in the caller's transaction.
struct QuestionStore {
    /// - `push_subscriptions`: where a device's browser is asked, as it came: sealed to the notifier's key.
    /// - `push_questions`: what waits to be sent, in the order in which it was asked.
    static let migration = Migration(
        "questions to subscribers",
        sql: """
            CREATE TABLE push_subscriptions (device INTEGER PRIMARY KEY, key TEXT NOT NULL, sealed TEXT NOT NULL) STRICT;
            CREATE TABLE push_questions (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER NOT NULL, document BLOB NOT NULL) STRICT;
            CREATE INDEX push_questions_of_devices ON push_questions (device);
            """)

    let db: Database

    init(_ db: Database) { self.db = db }

    /// Keeps a subscription in the place of the one before; without anything sealed there is none any more.
    func put(_ document: PushDocument, of device: UInt64) throws {
        guard let key = document.key, let sealed = document.sealed else { return try forget(device) }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO push_subscriptions (device, key, sealed) VALUES (?, ?, ?)")
            .execute(arguments: [Int64(bitPattern: device), key, sealed])
    }

    /// Forgets where a device was asked, and what waits for it.
    func forget(_ device: UInt64) throws {
        for table in ["push_subscriptions", "push_questions"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE device = ?")
                .execute(arguments: [Int64(bitPattern: device)])
        }
    }

    func subscription(of device: UInt64) throws -> PushDocument? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT key, sealed FROM push_subscriptions WHERE device = ?"),
            arguments: [Int64(bitPattern: device)]
        ).map { PushDocument(key: $0[0], sealed: $0[1]) }
    }

    func subscriptions() throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM push_subscriptions")) ?? 0
    }

    /// Has a question wait.
    func add(_ question: PushPromptDocument, to device: UInt64) throws {
        try db.cachedStatement(sql: "INSERT INTO push_questions (device, document) VALUES (?, ?)")
            .execute(arguments: [Int64(bitPattern: device), Data(try SortedJSON.bytes(of: question))])
    }

    func waiting() throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM push_questions")) ?? 0
    }

    /// Takes questions out, the longest waiting first: each is tried once.
    func take(_ most: Int) throws -> [(device: UInt64, question: PushPromptDocument)] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT seq, device, document FROM push_questions ORDER BY seq LIMIT ?"),
            arguments: [most])
        guard let last: Int64 = rows.last?[0] else { return [] }
        try db.cachedStatement(sql: "DELETE FROM push_questions WHERE seq <= ?").execute(arguments: [last])
        return try rows.map { row in
            (
                UInt64(bitPattern: row[1] as Int64),
                try JSONDecoder().decode(PushPromptDocument.self, from: row[2] as Data)
            )
        }
    }
}
