internal import Foundation
internal import GRDB
internal import Models

/// What a service knows of requests for access: a table in its own database, inside the caller's transaction.
///
///     access_orders(request, device, document, state, place, parts, bytes, contents)     until a request is closed
struct AccessStore {
    enum State: Int {
        /// Something is still to be given.
        case open = 0
        case given = 1
        /// Its parts go.
        case closed = 2
    }

    private let db: Database

    init(_ db: Database) { self.db = db }

    static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS access_orders (
                    request TEXT PRIMARY KEY, device INTEGER NOT NULL, document TEXT NOT NULL, state INTEGER NOT NULL,
                    place TEXT, parts INTEGER NOT NULL, bytes INTEGER NOT NULL, contents TEXT) STRICT
                """)
    }

    /// Whether anything is to be given or taken away.
    func hasWork() throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM access_orders WHERE state <> 1)") ?? false
    }

    /// False if the request was heard before.
    func add(_ order: AccessOrder) throws -> Bool {
        try db.execute(
            sql:
                "INSERT OR IGNORE INTO access_orders (request, device, document, state, parts, bytes) VALUES (?, ?, ?, 0, 0, 0)",
            arguments: [order.request, Int64(bitPattern: order.device), try SortedJSON.text(of: order.document)])
        return db.changesCount > 0
    }

    /// Those of which something is still to be given, in the order they came, with how far they are.
    func open(_ service: String, _ held: [HeldKind]) throws -> [AccessWork] {
        let rows = try Row.fetchAll(
            db,
            sql:
                "SELECT device, document, place, parts, contents, bytes FROM access_orders WHERE state = 0 ORDER BY rowid"
        )
        return try rows.map { row in
            let document = try JSONDecoder().decode(AccessOrderDocument.self, from: Data((row[1] as String).utf8))
            let contents = try (row[4] as String?).map { try AccessContents(bytes: Array($0.utf8)) }
            return AccessWork(
                order: AccessOrder(device: UInt64(bitPattern: row[0] as Int64), document: document), place: row[2],
                parts: row[3], bytes: row[5], contents: contents ?? AccessContents(service: service, kinds: held))
        }
    }

    func save(_ work: AccessWork) throws {
        try db.execute(
            sql: "UPDATE access_orders SET state = ?, place = ?, parts = ?, bytes = ?, contents = ? WHERE request = ?",
            arguments: [
                (work.isOver ? State.given : .open).rawValue, work.place, work.parts, work.bytes,
                work.isOver ? nil : String(decoding: try work.contents.bytes(), as: UTF8.self), work.order.request,
            ])
    }

    /// Sealed bytes of the parts that are there.
    func bytes() throws -> Int { try Int.fetchOne(db, sql: "SELECT sum(bytes) FROM access_orders") ?? 0 }

    /// False if the request is not known, or closed already.
    func close(_ request: String) throws -> Bool {
        try db.execute(
            sql: "UPDATE access_orders SET state = 2, place = NULL, contents = NULL WHERE request = ? AND state < 2",
            arguments: [request])
        return db.changesCount > 0
    }

    /// Those whose parts go, with the number of parts that nobody was told of.
    func closed() throws -> [(request: String, parts: Int)] {
        try Row.fetchAll(db, sql: "SELECT request, parts FROM access_orders WHERE state = 2 ORDER BY rowid")
            .map { ($0[0], $0[1]) }
    }

    func set(parts: Int, of request: String) throws {
        try db.execute(sql: "UPDATE access_orders SET parts = ? WHERE request = ?", arguments: [parts, request])
    }

    func remove(_ request: String) throws {
        try db.execute(sql: "DELETE FROM access_orders WHERE request = ?", arguments: [request])
    }

    /// Removes all that is known of a device's requests; how many there were.
    func forget(_ device: UInt64) throws -> Int {
        try db.execute(
            sql: "DELETE FROM access_orders WHERE device = ?", arguments: [Int64(bitPattern: device)])
        return db.changesCount
    }
}

/// How far a service is with an order: what is in the tables, and lines that wait to be sealed.
struct AccessWork {
    let order: AccessOrder
    /// Where the next page begins; nil at the beginning.
    var place: String?
    /// Parts that were given.
    var parts: Int
    /// Sealed bytes of them.
    var bytes: Int
    var contents: AccessContents
    /// Lines that are not sealed yet.
    var waiting: [UInt8] = []
    var isOver = false

    mutating func take(_ page: SubjectPage) {
        for line in page.lines {
            contents.count(line)
            line.write(of: contents.service, to: &waiting)
        }
        place = page.next
        isOver = page.next == nil
    }
}
