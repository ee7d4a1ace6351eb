internal import Foundation
internal import GRDB
internal import Models
internal import ServiceKit
internal import SubjectRights

/// What ingest knows of erasures, beside the tables of its rounds.
extension IngestStore {
    /// The UUID and the token's hash of a device, nil if there is none or it is erased.
    func names(of device: UInt64) throws -> (id: [UInt8], tokenHash: [UInt8])? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT device_id, token_hash FROM device_names
                WHERE ordinal = ? AND EXISTS (SELECT 1 FROM devices WHERE devices.ordinal = device_names.ordinal)
                """)
        return try Row.fetchOne(statement, arguments: [Int64(device)]).map {
            ([UInt8]($0[0] as Data), [UInt8]($0[1] as Data))
        }
    }

    /// Whether a device's token is worth anything.
    func isActive(_ device: Int64) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT revoked_at IS NULL FROM devices WHERE ordinal = ?", arguments: [device]) ?? false
    }

    /// Makes a device's token worthless. Its hash has one length, so it is overwritten where it stands.
    func revoke(_ device: UInt64, now: UnixMilliseconds) throws {
        try db.execute(
            sql: "UPDATE device_names SET token_hash = randomblob(32) WHERE ordinal = ?", arguments: [Int64(device)])
        try db.execute(
            sql: "UPDATE devices SET revoked_at = COALESCE(revoked_at, ?) WHERE ordinal = ?",
            arguments: [now, Int64(device)])
    }

    /// Remembers by which request the device of a token was erased.
    func note(token mark: [UInt8], of request: String, until: UnixMilliseconds) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO erased_tokens (mark, request, until) VALUES (?, ?, ?)",
            arguments: [Data(mark), request, until])
    }

    /// The request by which the device of a token was erased; nil if none was, or long ago.
    func erasure(ofToken mark: [UInt8]) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT request FROM erased_tokens WHERE mark = ?"), arguments: [Data(mark)])
    }

    func save(_ request: ErasureRequestDocument, of device: UInt64) throws {
        try db.execute(
            sql: "INSERT INTO erasure_requests (request, device, requested_at, document) VALUES (?, ?, ?, ?)",
            arguments: [
                request.subject.request, Int64(device), request.requestedAt, try SortedJSON.text(of: request),
            ])
    }

    /// A request, and the device that asked for it if that is still known.
    func erasure(_ request: String) throws -> (document: ErasureRequestDocument, device: UInt64?)? {
        let row = try Row.fetchOne(
            db, sql: "SELECT document, device FROM erasure_requests WHERE request = ?", arguments: [request])
        return try row.map {
            (
                try JSONDecoder().decode(ErasureRequestDocument.self, from: Data(($0[0] as String).utf8)),
                ($0[1] as Int64?).map { UInt64($0) }
            )
        }
    }

    /// How many erasures a device asked for.
    func erasures(of device: UInt64, since time: UnixMilliseconds) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM erasure_requests WHERE device = ? AND requested_at > ?",
            arguments: [Int64(device), time]) ?? 0
    }

    /// What must not be stored: subjects of requests that still name their device.
    func refusedSubjects(now: UnixMilliseconds) throws -> [ErasureSubject] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT device, document FROM erasure_requests WHERE device IS NOT NULL AND requested_at > ?",
            arguments: [now - ErasureChange.statusKept])
        return try rows.compactMap { row in
            let text: String = row[1]
            let request = try JSONDecoder().decode(ErasureRequestDocument.self, from: Data(text.utf8))
            guard request.subject.scope.isEverything || request.requestedAt > now - ErasureGate.blocked else {
                return nil
            }
            return ErasureSubject(device: UInt64(row[0] as Int64), document: request.subject)
        }
    }

    /// Forgets what nobody may ask for any more.
    func forgetErasures(now: UnixMilliseconds) throws {
        try db.execute(sql: "DELETE FROM erased_tokens WHERE until < ?", arguments: [now])
        try db.execute(
            sql: """
                DELETE FROM erasure_requests WHERE requested_at < ?
                    AND request NOT IN (SELECT request FROM erasures WHERE state < 2)
                """, arguments: [now - ErasureChange.statusKept])
    }
}
