internal import Foundation
internal import GRDB
internal import IngestUploads
package import Models

/// Keys with which apps of others send for a device.
extension IngestStore {
    static let uploadKeyTables = """
        CREATE TABLE upload_keys (
            number INTEGER PRIMARY KEY, device INTEGER NOT NULL, key_hash BLOB NOT NULL, made_at INTEGER NOT NULL) STRICT;
        CREATE UNIQUE INDEX upload_keys_of_device ON upload_keys (device);
        CREATE INDEX upload_keys_by_key ON upload_keys (substr(key_hash, 1, 8));
        """

    /// The device of a key, and its token's hash.
    func device(uploadKey hash: [UInt8]) throws -> KeyedDevice? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.identityColumns), token_hash FROM upload_keys
                JOIN devices ON ordinal = upload_keys.device JOIN device_names USING (ordinal)
                WHERE substr(key_hash, 1, 8) = substr(?1, 1, 8) AND key_hash = ?1
                """)
        guard let row = try Row.fetchOne(statement, arguments: [Data(hash)]) else { return nil }
        let token = (row["token_hash"] as Data).withUnsafeBytes { TokenHash($0) }
        return KeyedDevice(identity: try Self.identity(row), token: token)
    }

    /// The hash of a device's key; nil if it has none.
    package func uploadKey(of device: UInt64) throws -> [UInt8]? {
        try Data.fetchOne(
            db, sql: "SELECT key_hash FROM upload_keys WHERE device = ?", arguments: [Int64(device)]
        ).map { [UInt8]($0) }
    }

    /// Gives a device a key; the one it had is nobody's from then on.
    package func save(uploadKey hash: [UInt8], of device: UInt64, at now: UnixMilliseconds) throws {
        try db.execute(
            sql: """
                INSERT INTO upload_keys (device, key_hash, made_at) VALUES (?1, ?2, ?3)
                ON CONFLICT (device) DO UPDATE SET key_hash = ?2, made_at = ?3
                """, arguments: [Int64(device), Data(hash), now])
    }
}
