internal import GRDB

/// Keeps a database's write-ahead log from being begun anew: a reading connection that stays at a moment of it.
///
/// A checkpoint then writes the log up to that moment to the file and needs no fsync, for the log still has it all
/// (https://www.sqlite.org/wal.html#ckpt, https://www.sqlite.org/walformat.html#locks). Confined to whoever uses the writing
/// connection, which writes nothing while this is called.
final class LogPin {
    private let queue: DatabaseQueue
    private(set) var isHeld = false

    init(path: String, options: DatabaseOptions) throws {
        var configuration = options.readerConfiguration
        configuration.label = "log-pin"
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: try DatabaseLocation.name(path, vfs: options.vfs), configuration: configuration)
    }

    /// Goes to the end of the log; after a failure it holds nothing.
    func move() {
        release()
        isHeld =
            (try? queue.inDatabase { db -> Void in
                try db.beginTransaction(.deferred)
                // Only what is read decides for a moment.
                _ = try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema LIMIT 1")
            }) != nil
        if !isHeld { rollBack() }
    }

    /// Lets the log be begun anew.
    func release() {
        if isHeld { rollBack() }
        isHeld = false
    }

    func close() { try? queue.close() }

    private func rollBack() { try? queue.inDatabase { db in if db.isInsideTransaction { try db.rollback() } } }
}
