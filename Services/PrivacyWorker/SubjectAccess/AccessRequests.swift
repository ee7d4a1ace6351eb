internal import Foundation
internal import GRDB
internal import Models
internal import SubjectRights

/// The SQL of requests for access, inside the caller's transaction.
///
///     access_requests(request, device, state, …, document)   device and document are there until it is closed
///     access_parts(request, service, parts, bytes, is_complete)   what was handed on
struct AccessRequests {
    enum State: String {
        /// Its order is not published yet: the lane has no room.
        case waiting
        case open
        case completed
        /// It is over, and what was handed on is still to be taken back.
        case closing
        case closed
    }

    /// How long a closed one is still listed, milliseconds.
    static let kept: UnixMilliseconds = 30 * 86_400_000

    let db: Database

    init(_ db: Database) { self.db = db }

    static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS access_requests (
                    request TEXT PRIMARY KEY, device INTEGER, state TEXT NOT NULL, source TEXT NOT NULL,
                    subject TEXT NOT NULL, requested_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
                    completed_at INTEGER, closed_at INTEGER, document TEXT) STRICT;
                CREATE INDEX IF NOT EXISTS access_requests_by_time ON access_requests (requested_at, request);
                CREATE TABLE IF NOT EXISTS access_parts (
                    request TEXT NOT NULL, service TEXT NOT NULL, parts INTEGER NOT NULL, bytes INTEGER NOT NULL,
                    is_complete INTEGER NOT NULL,
                    PRIMARY KEY (request, service)) STRICT, WITHOUT ROWID;
                """)
    }

    /// False if the request was known before.
    func add(_ order: AccessOrder, _ source: AccessRequestDocument.Source) throws -> Bool {
        let document = order.document
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO access_requests
                    (request, device, state, source, subject, requested_at, expires_at, document)
                VALUES (?, ?, 'waiting', ?, ?, ?, ?, ?)
                """,
            arguments: [
                order.request, Int64(bitPattern: order.device), source.rawValue, document.subject,
                document.requestedAt, document.expiresAt, try SortedJSON.text(of: document),
            ])
        return db.changesCount > 0
    }

    /// Orders that are not published yet, in the order they were asked for.
    func waiting(limit: Int) throws -> [AccessOrder] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT device, document FROM access_requests WHERE state = 'waiting' ORDER BY requested_at, request LIMIT ?
                """, arguments: [limit]
        ).map { AccessOrder(device: UInt64(bitPattern: $0[0] as Int64), document: try Self.document($0[1])) }
    }

    /// Those of a device that are not over.
    func open(of device: Int64) throws -> [AccessOrderDocument] {
        try String.fetchAll(
            db,
            sql: """
                SELECT document FROM access_requests
                WHERE device = ? AND state IN ('waiting', 'open', 'completed') ORDER BY requested_at
                """, arguments: [device]
        ).map(Self.document)
    }

    /// Those whose time is over.
    func expired(now: UnixMilliseconds, limit: Int) throws -> [AccessOrderDocument] {
        try String.fetchAll(
            db,
            sql: """
                SELECT document FROM access_requests
                WHERE state IN ('waiting', 'open', 'completed') AND expires_at <= ? ORDER BY expires_at LIMIT ?
                """, arguments: [now, limit]
        ).map(Self.document)
    }

    func set(_ state: State, of request: String) throws {
        try db.execute(
            sql: "UPDATE access_requests SET state = ? WHERE request = ?", arguments: [state.rawValue, request])
    }

    /// It is over: whose it was is not known any more.
    func close(_ request: String, now: UnixMilliseconds) throws {
        try db.execute(
            sql: """
                UPDATE access_requests SET state = 'closing', closed_at = ?, device = NULL, document = NULL
                WHERE request = ?
                """, arguments: [now, request])
    }

    /// One that is over and not taken back yet.
    func closing() throws -> String? {
        try String.fetchOne(db, sql: "SELECT request FROM access_requests WHERE state = 'closing' LIMIT 1")
    }

    /// Counts a part; false if nobody waits for it.
    func count(_ part: AccessPartDocument, bytes: Int) throws -> Bool {
        let isWanted =
            try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM access_requests WHERE request = ? AND state IN ('open', 'completed'))",
                arguments: [part.request]) ?? false
        guard isWanted else { return false }
        try db.execute(
            sql: """
                INSERT INTO access_parts (request, service, parts, bytes, is_complete) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (request, service) DO UPDATE SET parts = max(parts, excluded.parts),
                    bytes = bytes + excluded.bytes, is_complete = max(is_complete, excluded.is_complete)
                """, arguments: [part.request, part.service, part.index, bytes, part.isLast])
        return true
    }

    /// Sealed bytes of parts that were handed on and not taken back.
    func bytes() throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT sum(bytes) FROM access_parts JOIN access_requests USING (request) WHERE state <> 'closed'")
            ?? 0
    }

    /// Who has given everything, with the number of parts.
    func complete(_ request: String) throws -> [String: Int] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT service, parts FROM access_parts WHERE request = ? AND is_complete", arguments: [request])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    /// All have given everything; nil if that was known.
    func finish(_ request: String, now: UnixMilliseconds) throws -> AccessOrderDocument? {
        try db.execute(
            sql:
                "UPDATE access_requests SET state = 'completed', completed_at = ? WHERE request = ? AND state = 'open'",
            arguments: [now, request])
        guard db.changesCount > 0 else { return nil }
        return try String.fetchOne(
            db, sql: "SELECT document FROM access_requests WHERE request = ?", arguments: [request]
        ).map(Self.document)
    }

    /// Keys of parts that were handed on, the last ones first; they are forgotten here.
    ///
    /// - Parameter giver: whose parts are taken back elsewhere.
    func takeParts(of request: String, besides giver: String, limit: Int) throws -> [String] {
        let row = try Row.fetchOne(
            db, sql: "SELECT service, parts FROM access_parts WHERE request = ? AND service <> ? AND parts > 0 LIMIT 1",
            arguments: [request, giver])
        guard let row, let service = row[0] as String?, let parts = row[1] as Int? else { return [] }
        let left = max(0, parts - limit)
        try db.execute(
            sql: "UPDATE access_parts SET parts = ? WHERE request = ? AND service = ?",
            arguments: [left, request, service])
        return (left..<parts).map { AccessPartDocument.key(request, service, $0 + 1) }
    }

    /// When the next one is to be published, taken back or closed.
    ///
    /// - Parameter full: when it is looked again whether orders may be published; nil if they may.
    func nextDue(ifFull full: UnixMilliseconds?) throws -> UnixMilliseconds? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT max(state = 'closing'), max(state = 'waiting'),
                    min(expires_at) FILTER (WHERE state IN ('waiting', 'open', 'completed'))
                FROM access_requests WHERE state <> 'closed'
                """)
        guard let row else { return nil }
        if row[0] as Bool? == true { return 0 }
        let waiting: UnixMilliseconds? = row[1] as Bool? == true ? full ?? 0 : nil
        return [waiting, row[2] as UnixMilliseconds?].compactMap(\.self).min()
    }

    /// Forgets those that were closed long ago.
    func forget(closedBefore time: UnixMilliseconds) throws {
        try db.execute(
            sql: """
                DELETE FROM access_parts WHERE request IN
                    (SELECT request FROM access_requests WHERE state = 'closed' AND closed_at < ?)
                """, arguments: [time])
        try db.execute(
            sql: "DELETE FROM access_requests WHERE state = 'closed' AND closed_at < ?", arguments: [time])
    }

    private static func document(_ text: String) throws -> AccessOrderDocument {
        try JSONDecoder().decode(AccessOrderDocument.self, from: Data(text.utf8))
    }
}
