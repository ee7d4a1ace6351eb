package import GRDB
package import Models
internal import Storage

/// SQL of browser sessions: digests only. Every function runs in the caller's transaction.
package enum SessionStore {
    /// 12 hours.
    package static let lifetime: UnixMilliseconds = 12 * 3_600_000
    /// Sessions of one contact; the oldest makes room for the next.
    static let limit = 20

    package static func begin(_ name: SecretDigest, token: SecretDigest, now: UnixMilliseconds, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM sessions WHERE ends_at <= ?", arguments: [now])
        try db.execute(
            sql: """
                DELETE FROM sessions WHERE name IN (
                    SELECT name FROM sessions WHERE token = ? ORDER BY begun_at DESC, name LIMIT -1 OFFSET ?)
                """, arguments: [Blob.value(token.bytes), limit - 1])
        try db.execute(
            sql: "INSERT INTO sessions (name, token, begun_at, ends_at) VALUES (?, ?, ?, ?)",
            arguments: [Blob.value(name.bytes), Blob.value(token.bytes), now, now + lifetime])
    }

    package static func end(_ name: SecretDigest, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM sessions WHERE name = ?", arguments: [Blob.value(name.bytes)])
    }
}
