internal import GRDB
package import Models

/// Which devices have given a payout number; the number itself is not here.
extension IngestStore {
    package func beginPayout(of device: UInt64, at now: UnixMilliseconds) throws {
        try db.cachedStatement(sql: "UPDATE devices SET payout_at = ? WHERE ordinal = ?")
            .execute(arguments: [now, Int64(device)])
    }

    /// False if there was none.
    package func endPayout(of device: UInt64) throws -> Bool {
        try db.cachedStatement(sql: "UPDATE devices SET payout_at = NULL WHERE ordinal = ? AND payout_at IS NOT NULL")
            .execute(arguments: [Int64(device)])
        return db.changesCount > 0
    }
}
