internal import Alarms
internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Sites, their sensors and what was ordered of them, in the router's database. Every function runs in the caller's transaction.
struct SiteStore {
    static let migration = Migration(
        "sites, sensors, doors",
        sql: """
            ALTER TABLE alarms ADD COLUMN reading TEXT;
            CREATE TABLE site_documents (
                kind INTEGER NOT NULL, key TEXT NOT NULL, document BLOB NOT NULL, PRIMARY KEY (kind, key))
                STRICT, WITHOUT ROWID;
            CREATE TABLE site_sensors (sensor INTEGER PRIMARY KEY, document BLOB NOT NULL, due_at INTEGER) STRICT;
            CREATE INDEX site_sensors_due ON site_sensors (due_at) WHERE due_at IS NOT NULL;
            CREATE TABLE site_tasks (
                id TEXT PRIMARY KEY, begun_at INTEGER NOT NULL, due_at INTEGER, controller INTEGER, document BLOB NOT NULL)
                STRICT, WITHOUT ROWID;
            CREATE INDEX site_tasks_due ON site_tasks (due_at) WHERE due_at IS NOT NULL;
            CREATE INDEX site_tasks_by_time ON site_tasks (begun_at);
            CREATE TABLE site_wrong_codes (site INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
            CREATE INDEX site_wrong_codes_of_site ON site_wrong_codes (site, at);
            """)

    let db: Database

    init(_ db: Database) { self.db = db }
}

/// Documents as the `operations` lane has them. What was stored by a program of another version and cannot be decoded is not there.
extension SiteStore {
    func put(_ document: [UInt8]?, _ key: String, _ kind: RecordKind) throws {
        guard let document else {
            return try db.execute(
                sql: "DELETE FROM site_documents WHERE kind = ? AND key = ?", arguments: [Int64(kind.id), key])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO site_documents (kind, key, document) VALUES (?, ?, ?)",
            arguments: [Int64(kind.id), key, Blob.value(document)])
    }

    /// All that are stored, of kinds of these.
    func stored(_ kinds: [RecordKind]) throws -> [(kind: RecordKind, key: String, document: [UInt8])] {
        try Row.fetchAll(db, sql: "SELECT kind, key, document FROM site_documents").compactMap { row in
            kinds.first { Int64($0.id) == row[0] }.map { ($0, row[1], Blob.bytes(row, 2)) }
        }
    }

    /// - Throws: if a document is not one of its kind.
    static func check(_ document: [UInt8], _ kind: RecordKind) throws {
        switch kind {
        case .site: _ = try read(document, SiteDocument.self)
        case .sensor: _ = try read(document, SensorDocument.self)
        case .door: _ = try read(document, DoorDocument.self)
        default: _ = try read(document, DoorKeyDocument.self)
        }
    }

    func document<Document: Decodable>(_ type: Document.Type, _ kind: RecordKind, _ key: String) throws -> Document? {
        let statement = try db.cachedStatement(sql: "SELECT document FROM site_documents WHERE kind = ? AND key = ?")
        return try Row.fetchOne(statement, arguments: [Int64(kind.id), key]).flatMap { try? Self.read($0, type) }
    }

    func documents<Document: Decodable>(_ type: Document.Type, _ kind: RecordKind) throws -> [Document] {
        let statement = try db.cachedStatement(sql: "SELECT document FROM site_documents WHERE kind = ? ORDER BY key")
        return try Row.fetchAll(statement, arguments: [Int64(kind.id)]).compactMap { try? Self.read($0, type) }
    }

    func site(_ id: Int64) throws -> SiteDocument? { try document(SiteDocument.self, .site, "\(id)") }
    func sensor(_ id: Int64) throws -> SensorDocument? { try document(SensorDocument.self, .sensor, "\(id)") }
    func door(_ id: Int64) throws -> DoorDocument? { try document(DoorDocument.self, .door, "\(id)") }

    private static func read<Document: Decodable>(_ row: Row, _ type: Document.Type) throws -> Document {
        try read(Blob.bytes(row, 0), type)
    }

    private static func read<Document: Decodable>(_ bytes: [UInt8], _ type: Document.Type) throws -> Document {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}

/// How sensors are.
extension SiteStore {
    func state(of sensor: Int64) throws -> SensorState? {
        let statement = try db.cachedStatement(sql: "SELECT document FROM site_sensors WHERE sensor = ?")
        return try Row.fetchOne(statement, arguments: [sensor]).map { try Self.read($0, SensorState.self) }
    }

    func put(_ state: SensorState) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO site_sensors (sensor, document, due_at) VALUES (?, ?, ?)"
        ).execute(arguments: [state.sensor, Blob.value(try SortedJSON.bytes(of: state)), state.dueAt])
    }

    func removeState(of sensor: Int64) throws {
        try db.execute(sql: "DELETE FROM site_sensors WHERE sensor = ?", arguments: [sensor])
    }

    /// Those for which a delay is over, longest first.
    func dueSensors(_ now: UnixMilliseconds, limit: Int) throws -> [SensorState] {
        let statement = try db.cachedStatement(
            sql: "SELECT document FROM site_sensors WHERE due_at <= ? ORDER BY due_at, sensor LIMIT ?")
        return try Row.fetchAll(statement, arguments: [now, limit]).map { try Self.read($0, SensorState.self) }
    }

    func nextDue() throws -> UnixMilliseconds? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT min(due) FROM (SELECT min(due_at) AS due FROM site_sensors WHERE due_at IS NOT NULL
                        UNION ALL SELECT min(due_at) FROM site_tasks WHERE due_at IS NOT NULL)
                    """))
    }
}

/// Commands: told twice, they are carried out once.
extension SiteStore {
    /// A command that waits for its device, or was decided.
    struct Stored {
        var task: SiteTask
        /// Until when the device may answer; nil once it is decided.
        var dueAt: UnixMilliseconds?
        /// The device that is told; nil if none is.
        var device: Int64?
    }

    func task(_ id: String) throws -> Stored? {
        let statement = try db.cachedStatement(sql: "SELECT document, due_at, controller FROM site_tasks WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(stored)
    }

    func put(_ stored: Stored, begunAt: UnixMilliseconds) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO site_tasks (id, begun_at, due_at, controller, document) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, document = excluded.document
                """
        ).execute(arguments: [
            stored.task.command.task, begunAt, stored.dueAt, stored.device,
            Blob.value(try SortedJSON.bytes(of: stored.task)),
        ])
    }

    func dueTasks(_ now: UnixMilliseconds, limit: Int) throws -> [Stored] {
        let statement = try db.cachedStatement(
            sql: "SELECT document, due_at, controller FROM site_tasks WHERE due_at <= ? ORDER BY due_at, id LIMIT ?")
        return try Row.fetchAll(statement, arguments: [now, limit]).map(stored)
    }

    /// Tasks that were begun before a moment and are decided, which are forgotten.
    func forgetTasks(before moment: UnixMilliseconds, limit: Int) throws -> [String] {
        let tasks = try String.fetchAll(
            db,
            sql: "SELECT id FROM site_tasks WHERE begun_at < ? AND due_at IS NULL ORDER BY begun_at, id LIMIT ?",
            arguments: [moment, limit])
        for task in tasks { try db.execute(sql: "DELETE FROM site_tasks WHERE id = ?", arguments: [task]) }
        return tasks
    }

    func oldestTask() throws -> UnixMilliseconds? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(begun_at) FROM site_tasks WHERE due_at IS NULL"))
    }

    func noteWrongCode(of site: Int64, now: UnixMilliseconds) throws {
        try db.execute(sql: "INSERT INTO site_wrong_codes (site, at) VALUES (?, ?)", arguments: [site, now])
    }

    /// Wrong codes of a site after a moment; those of before are forgotten.
    func wrongCodes(of site: Int64, after moment: UnixMilliseconds) throws -> Int {
        try db.execute(sql: "DELETE FROM site_wrong_codes WHERE at <= ?", arguments: [moment])
        return try Int.fetchOne(
            db, sql: "SELECT count(*) FROM site_wrong_codes WHERE site = ?", arguments: [site]) ?? 0
    }

    /// What waited for a device in a home that was restored is over: nobody carries it out.
    static func endOrders(_ db: Database) throws {
        try db.execute(sql: "UPDATE site_tasks SET due_at = 0 WHERE due_at IS NOT NULL")
    }

    private func stored(_ row: Row) throws -> Stored {
        Stored(task: try Self.read(row, SiteTask.self), dueAt: row[1], device: row[2])
    }
}
