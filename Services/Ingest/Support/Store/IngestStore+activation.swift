internal import Foundation
internal import GRDB
package import IngestUploads
package import Models

/// Activation codes.
extension IngestStore {
    /// Uses a code up for a device that is being enrolled in this transaction.
    package func spendCode(_ hash: [UInt8], now: UnixMilliseconds) throws -> ActivationOutcome {
        let statement = try db.cachedStatement(
            sql: """
                SELECT code_batches.number, used_at, expires_at, revoked_at FROM activation_codes
                JOIN code_batches ON code_batches.number = batch WHERE hash = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [Data(hash)]) else { return .unknown }
        guard row[1] as Int64? == nil else { return .used }
        guard row[3] as Int64? == nil else { return .revoked }
        guard now < row[2] as Int64 else { return .expired }
        try db.cachedStatement(sql: "UPDATE activation_codes SET used_at = ? WHERE hash = ?")
            .execute(arguments: [now, Data(hash)])
        return .accepted(row[0])
    }

    /// Keeps the hashes of new codes as one batch, and returns its number.
    package func addCodes(_ hashes: [[UInt8]], note: String, expiresAt: UnixMilliseconds, now: UnixMilliseconds) throws
        -> Int64
    {
        try db.execute(
            sql: "INSERT INTO code_batches (note, created_at, expires_at) VALUES (?, ?, ?)",
            arguments: [note, now, expiresAt])
        let batch = db.lastInsertedRowID
        let statement = try db.cachedStatement(sql: "INSERT INTO activation_codes (hash, batch) VALUES (?, ?)")
        for hash in hashes { try statement.execute(arguments: [Data(hash), batch]) }
        return batch
    }

    /// Codes that are kept, used ones included.
    package func countCodes() throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM activation_codes") ?? 0 }

    /// The batches, the newest first.
    package func codeBatches(now: UnixMilliseconds, only batch: Int64? = nil) throws -> [ActivationBatch] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT number, note, created_at, expires_at, revoked_at, count(hash), count(used_at) FROM code_batches
                LEFT JOIN activation_codes ON batch = number WHERE ?1 IS NULL OR number = ?1
                GROUP BY number ORDER BY number DESC
                """, arguments: [batch]
        ).map { row in
            let expiresAt: Int64 = row[3], revokedAt: Int64? = row[4], used: Int64 = row[6]
            let open = row[5] as Int64 - used
            return ActivationBatch(
                batch: row[0], note: row[1], created_at_ms: row[2], expires_at_ms: expiresAt, revoked_at_ms: revokedAt,
                unused: revokedAt == nil && now < expiresAt ? open : 0, used: used,
                expired: revokedAt == nil && now >= expiresAt ? open : 0, revoked: revokedAt == nil ? 0 : open)
        }
    }

    /// Makes what is unused of a batch worthless; doing it again changes nothing.
    package func revokeCodes(of batch: Int64, now: UnixMilliseconds) throws {
        try db.execute(
            sql: "UPDATE code_batches SET revoked_at = ? WHERE number = ? AND revoked_at IS NULL",
            arguments: [now, batch])
    }

    /// Forgets batches that expired long ago, a bounded number of codes at a time.
    package func forgetCodes(expiredBefore time: UnixMilliseconds) throws {
        guard
            let batch = try Int64.fetchOne(
                try db.cachedStatement(sql: "SELECT number FROM code_batches WHERE expires_at < ? LIMIT 1"),
                arguments: [time])
        else { return }
        try db.execute(
            sql: """
                DELETE FROM activation_codes WHERE hash IN (SELECT hash FROM activation_codes WHERE batch = ? LIMIT 1000)
                """, arguments: [batch])
        if db.changesCount == 0 {
            try db.execute(sql: "DELETE FROM code_batches WHERE number = ?", arguments: [batch])
        }
    }
}
