internal import Foundation
internal import GRDB
internal import Models

/// What a service has heard of erasures: tables in its own database, inside the caller's transaction.
///
///     erasures(request, device, document, state, removed)   device is NULL as soon as nothing of it is left
///     erasure_receipts(request, service)                    who has signed, of those this service waits for
///     erasure_keys(id)                                      own keys that were announced
struct ErasureStore {
    enum State: Int {
        /// Rows are still to come, or still there.
        case open = 0
        /// Nothing is left in the tables; the write-ahead logs may still have it.
        case erased = 1
        case signed = 2
    }

    private let db: Database

    init(_ db: Database) { self.db = db }

    static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS erasures (
                    request TEXT PRIMARY KEY, device INTEGER, document TEXT NOT NULL, state INTEGER NOT NULL,
                    removed INTEGER NOT NULL) STRICT;
                CREATE TABLE IF NOT EXISTS erasure_receipts (
                    request TEXT NOT NULL, service TEXT NOT NULL, PRIMARY KEY (request, service)) STRICT, WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS erasure_keys (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
                """)
    }

    /// False if the request was heard before.
    func add(_ subject: ErasureSubject) throws -> Bool {
        let text = String(decoding: try JSONEncoder().encode(subject.document), as: UTF8.self)
        try db.execute(
            sql: "INSERT OR IGNORE INTO erasures (request, device, document, state, removed) VALUES (?, ?, ?, 0, 0)",
            arguments: [subject.request, Int64(bitPattern: subject.device), text])
        return db.changesCount > 0
    }

    /// Those whose records are still there or still to come, in the order of their requests.
    func open() throws -> [ErasureSubject] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT device, document FROM erasures WHERE state = 0 AND device IS NOT NULL ORDER BY request")
        return try rows.map { row in
            ErasureSubject(
                device: UInt64(bitPattern: row[0] as Int64),
                document: try JSONDecoder().decode(ErasureSubjectDocument.self, from: Data((row[1] as String).utf8)))
        }
    }

    /// True while ``open()`` has any.
    func isOpen() throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM erasures WHERE state = 0 AND device IS NOT NULL)") ?? false
    }

    func knows(_ requests: [String]) throws -> Bool {
        let find = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM erasures WHERE request = ?)")
        return try requests.allSatisfy { try Bool.fetchOne(find, arguments: [$0]) ?? false }
    }

    /// Those of which nothing is left, to be signed, with the rows that were removed.
    func erased() throws -> [(document: ErasureSubjectDocument, removed: Int)] {
        let rows = try Row.fetchAll(db, sql: "SELECT document, removed FROM erasures WHERE state = 1 ORDER BY request")
        return try rows.map { row in
            (try JSONDecoder().decode(ErasureSubjectDocument.self, from: Data((row[0] as String).utf8)), row[1])
        }
    }

    func count(_ removed: Int, for request: String) throws {
        try db.execute(
            sql: "UPDATE erasures SET removed = removed + ? WHERE request = ?", arguments: [removed, request])
    }

    /// Nothing is left: the ordinal is forgotten with it.
    func close(_ request: String) throws {
        try db.execute(sql: "UPDATE erasures SET device = NULL, state = 1 WHERE request = ?", arguments: [request])
    }

    /// What a scope says of a subject (its times, its places) is kept no longer than the scope is executed.
    func sign(_ document: ErasureSubjectDocument) throws {
        try db.execute(
            sql: "UPDATE erasures SET state = 2, document = '{}' WHERE request = ?", arguments: [document.request])
        try db.execute(sql: "DELETE FROM erasure_receipts WHERE request = ?", arguments: [document.request])
    }

    func signed() throws -> [String] {
        try String.fetchAll(db, sql: "SELECT request FROM erasures WHERE state = 2 ORDER BY request")
    }

    func forget(_ request: String) throws {
        try db.execute(sql: "DELETE FROM erasures WHERE request = ? AND state = 2", arguments: [request])
    }

    func add(receiptOf service: String, for request: String) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO erasure_receipts (request, service)
                SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE request = ?1 AND state = 2)
                """, arguments: [request, service])
    }

    /// Who has signed, by request.
    func signers() throws -> [String: Set<String>] {
        var signers: [String: Set<String>] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT request, service FROM erasure_receipts")
        while let row = try rows.next() { signers[row[0], default: []].insert(row[1]) }
        return signers
    }

    func isAnnounced(key: String) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM erasure_keys WHERE id = ?)", arguments: [key]) ?? false
    }

    func announced(key: String) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO erasure_keys (id) VALUES (?)", arguments: [key])
    }
}
