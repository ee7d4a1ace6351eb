import AggregatorCells
import Crypto
import Foundation
package import GRDB
import Models
import Releases

/// SQL of what was released. Every function runs in the caller's transaction.
package enum ReleaseStore {
    /// Takes note of the secret. Under another one, devices of days that have begun would be divided anew: those days are released no
    /// more.
    ///
    /// - Parameter now: Unix seconds.
    static func use(_ root: [UInt8], lastDay: Int64?, now: Int64, _ db: Database) throws {
        let secret = Data(SHA256.hash(data: root))
        let row = try Row.fetchOne(db, sql: "SELECT secret, first_day FROM releasing")
        guard let row else {
            return try db.execute(sql: "INSERT INTO releasing VALUES (1, ?, ?)", arguments: [secret, Int64.min])
        }
        guard row[0] as Data != secret else { return }
        let first = max(row[1] as Int64, now, (lastDay ?? .min) &+ 1)
        try db.execute(sql: "UPDATE releasing SET secret = ?, first_day = ?", arguments: [secret, first])
    }

    /// The home was restored: what was released of days that had begun is not known.
    ///
    /// - Parameter restored: Unix seconds.
    package static func noteRestore(at restored: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO releasing VALUES (1, x'', ?1)
                ON CONFLICT (id) DO UPDATE SET first_day = max(first_day, ?1)
                """, arguments: [restored])
    }

    /// Days that begin before this are not released.
    static func firstDay(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT first_day FROM releasing") ?? .min
    }

    static func isDone(_ kind: ReleaseClass, _ start: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM release_rounds WHERE class = ? AND start = ?)"),
            arguments: [kind.rawValue, start]) ?? false
    }

    static func finish(_ kind: ReleaseClass, _ start: Int64, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO release_rounds VALUES (?, ?)", arguments: [kind.rawValue, start])
    }

    /// Notes a release; false if it was issued before.
    static func mark(_ release: ReleaseSeries, _ start: Int64, _ db: Database) throws -> Bool {
        try db.execute(
            sql: "INSERT OR IGNORE INTO releases_made VALUES (?, ?, ?, ?)",
            arguments: [release.kind.rawValue, start, release.programme, release.scope])
        return db.changesCount > 0
    }

    /// How many releases of a class and a period there are.
    static func count(_ kind: ReleaseClass, _ start: Int64, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM releases_made WHERE class = ? AND start = ?",
            arguments: [kind.rawValue, start]) ?? 0
    }

    /// Days before a time are sealed and have no rows that could be released.
    static func forget(before start: Int64, _ db: Database) throws {
        for table in ["releases_made", "release_rounds"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE start < ?", arguments: [start])
        }
    }
}

/// Of which class and network a release is.
struct ReleaseSeries: Hashable, Sendable {
    let kind: ReleaseClass
    let programme: UInt8
    let scope: Int64
}
