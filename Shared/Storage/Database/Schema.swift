internal import GRDB

/// Brings a database forward, one step at a time, and refuses one that is ahead.
struct Schema {
    let path: String
    let migrations: [Migration]

    /// Throws `newerHome` before anything is changed.
    func refuseIfNewer(_ db: Database) throws {
        let found = try version(db)
        guard found > migrations.count else { return }
        throw StorageError(
            .newerHome, path: path,
            message:
                "newer home: schema \(found), this program knows \(migrations.count); use the program that wrote it or a later one"
        )
    }

    func migrate(_ db: Database) throws {
        for number in try version(db)..<migrations.count {
            try db.inTransaction(.immediate) {
                try migrations[number].migrate(db)
                try db.execute(sql: "PRAGMA user_version = \(number + 1)")
                return .commit
            }
        }
    }

    private func version(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    }
}

extension Database {
    /// Switches the file to write-ahead logging, if it is not yet.
    func enterWAL() throws {
        let mode = try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw DatabaseError(
                resultCode: .SQLITE_CANTOPEN,
                message: "write-ahead logging is not possible here (mode \(mode ?? "none"))")
        }
    }
}
