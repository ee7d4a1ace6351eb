internal import Foundation
internal import GRDB
package import Models

/// Requests for a copy of everything, and the private keys by which parts of it are opened.
extension IngestStore {
    /// - `access_requests`: `slot` says where the private key is; NULL when it is deleted. `source` is who asked.
    /// - `access_keys`: a key a row, zeros where there is none. Rows are added at the end, of one length, overwritten where they
    ///   stand, used again and never removed: so a key that is overwritten is nowhere else in the file.
    static let accessTables = """
        CREATE TABLE access_requests (
            request TEXT PRIMARY KEY, device INTEGER, slot INTEGER, requested_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL, source TEXT NOT NULL) STRICT;
        CREATE INDEX access_requests_of_device ON access_requests (device, requested_at);
        CREATE UNIQUE INDEX access_requests_open ON access_requests (slot) WHERE slot IS NOT NULL;
        CREATE TABLE access_keys (slot INTEGER PRIMARY KEY, key BLOB NOT NULL) STRICT;
        """

    /// How long a request whose key is deleted is still known, milliseconds.
    private static let known: UnixMilliseconds = 30 * 86_400_000
    private static let columns = "request, device, requested_at, expires_at, slot IS NOT NULL, source"

    /// Keeps a new request with its private key, 32 bytes.
    package func save(_ ticket: AccessTicket, key: [UInt8]) throws {
        let free = try Int64.fetchOne(
            db,
            sql: """
                SELECT slot FROM access_keys
                WHERE slot NOT IN (SELECT slot FROM access_requests WHERE slot IS NOT NULL) LIMIT 1
                """)
        if let free {
            try db.execute(sql: "UPDATE access_keys SET key = ? WHERE slot = ?", arguments: [Data(key), free])
        } else {
            try db.execute(sql: "INSERT INTO access_keys (key) VALUES (?)", arguments: [Data(key)])
        }
        try db.execute(
            sql: """
                INSERT INTO access_requests (request, device, slot, requested_at, expires_at, source)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                ticket.request, Int64(ticket.device), free ?? db.lastInsertedRowID, ticket.requestedAt,
                ticket.expiresAt,
                ticket.source.rawValue,
            ])
    }

    /// The open request that somebody made for a device, nil if there is none.
    package func openAccess(
        of device: UInt64, by source: AccessRequestDocument.Source, now: UnixMilliseconds
    ) throws -> AccessTicket? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT \(Self.columns) FROM access_requests
                WHERE device = ? AND source = ? AND slot IS NOT NULL AND expires_at > ? ORDER BY requested_at DESC LIMIT 1
                """, arguments: [Int64(device), source.rawValue, now]
        ).flatMap(Self.ticket)
    }

    /// When copies were asked for, by whomever, the earliest first.
    package func accessTimes(of device: UInt64, after time: UnixMilliseconds) throws -> [UnixMilliseconds] {
        try UnixMilliseconds.fetchAll(
            db,
            sql: "SELECT requested_at FROM access_requests WHERE device = ? AND requested_at > ? ORDER BY requested_at",
            arguments: [Int64(device), time])
    }

    /// A request of a device that is not erased.
    package func access(_ request: String) throws -> AccessTicket? {
        try Row.fetchOne(
            db, sql: "SELECT \(Self.columns) FROM access_requests WHERE request = ?", arguments: [request]
        ).flatMap(Self.ticket)
    }

    /// The private key of a request, nil if it is deleted.
    package func accessKey(_ request: String) throws -> [UInt8]? {
        try Data.fetchOne(
            db, sql: "SELECT key FROM access_requests JOIN access_keys USING (slot) WHERE request = ?",
            arguments: [request]
        ).map { [UInt8]($0) }
    }

    /// Whether a private key was ever deleted: the write-ahead log of a program that died may still have it.
    package func hasDeletedAccessKeys() throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM access_keys WHERE key = zeroblob(32))") ?? false
    }

    /// Deletes the private keys of a device's requests: what was sealed to them cannot be read any more.
    package func closeAccess(of device: UInt64) throws {
        try closeAccess("device = ?", [Int64(device)])
    }

    /// Deletes the keys of requests whose time is over; true if there were any, and their pages are in the write-ahead log.
    /// What is long over is forgotten.
    package func closeAccess(expiredBy now: UnixMilliseconds) throws -> Bool {
        try db.execute(
            sql: "DELETE FROM access_requests WHERE slot IS NULL AND requested_at < ?", arguments: [now - Self.known])
        return try closeAccess("expires_at <= ?", [now])
    }

    /// Whose the request was is not known any more.
    package func forgetAccess(of device: UInt64) throws {
        try closeAccess(of: device)
        try db.execute(sql: "UPDATE access_requests SET device = NULL WHERE device = ?", arguments: [Int64(device)])
    }

    @discardableResult
    private func closeAccess(_ condition: String, _ arguments: StatementArguments) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE access_keys SET key = zeroblob(32)
                WHERE slot IN (SELECT slot FROM access_requests WHERE slot IS NOT NULL AND \(condition))
                """, arguments: arguments)
        guard db.changesCount > 0 else { return false }
        try db.execute(
            sql: "UPDATE access_requests SET slot = NULL WHERE slot IS NOT NULL AND \(condition)", arguments: arguments)
        return true
    }

    private static func ticket(_ row: Row) -> AccessTicket? {
        (row[1] as Int64?).map {
            AccessTicket(
                request: row[0], device: UInt64($0), requestedAt: row[2], expiresAt: row[3],
                source: AccessRequestDocument.Source(rawValue: row[5]) ?? .device, isOpen: row[4])
        }
    }
}
