internal import CWriteGathering
internal import GRDB
internal import GRDBSQLite

/// When the log of a connection is synced: with each commit, or later.
enum LogSync {
    /// Within a transaction: its commit does not sync the log; to be taken back after it.
    static func putOff(_ db: Database, _ isPutOff: Bool) {
        nkul_gathering_put_off(UnsafeMutableRawPointer(db.sqliteConnection), isPutOff ? 1 : 0)
    }

    /// Syncs what was put off; SQLite's result code.
    static func run(_ db: Database) -> Int32 { nkul_gathering_sync(UnsafeMutableRawPointer(db.sqliteConnection)) }
}
