internal import Foundation
internal import GRDB
package import Models

/// The names and tokens of devices, and how a token is revoked.
extension IngestStore {
    /// The UUID and the token's hash of a device, nil if there is none or it is erased.
    package func names(of device: UInt64) throws -> (id: [UInt8], tokenHash: [UInt8])? {
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
    package func isActive(_ device: Int64) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT revoked_at IS NULL FROM devices WHERE ordinal = ?", arguments: [device]) ?? false
    }

    /// Makes a device's token and upload key worthless. Their hashes have one length, so they are overwritten where they stand.
    package func revoke(_ device: UInt64, now: UnixMilliseconds) throws {
        try db.execute(
            sql: "UPDATE device_names SET token_hash = randomblob(32) WHERE ordinal = ?", arguments: [Int64(device)])
        try db.execute(
            sql: "UPDATE upload_keys SET key_hash = randomblob(32) WHERE device = ?", arguments: [Int64(device)])
        try db.execute(
            sql: "UPDATE devices SET revoked_at = COALESCE(revoked_at, ?) WHERE ordinal = ?",
            arguments: [now, Int64(device)])
    }

    /// Remembers by which request the device of a token was erased.
    package func note(token mark: [UInt8], of request: String, until: UnixMilliseconds) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO erased_tokens (mark, request, until) VALUES (?, ?, ?)",
            arguments: [Data(mark), request, until])
    }

    /// The request by which the device of a token was erased; nil if none was, or long ago.
    func erasure(ofToken mark: [UInt8]) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT request FROM erased_tokens WHERE mark = ?"), arguments: [Data(mark)])
    }
}
