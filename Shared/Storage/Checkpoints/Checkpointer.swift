internal import CWriteGathering
internal import GRDB
internal import GRDBSQLite

/// Does what SQLite's auto-checkpoint does, inside the commit that makes the write-ahead log long or when the owner has time
/// for it, but does not swallow the error: after a failed fsync of the database file nobody may go on as if nothing had
/// happened.
///
/// Confined to the connection it is installed on.
final class Checkpointer {
    private let pages: Int32
    private let isDeferred: Bool
    private let longestLog: Int32
    /// True if the log is long and the owner has not had it written to the file yet.
    private(set) var isDue = false
    /// Takes space for the file before a checkpoint needs it; nil lets it grow page by page.
    var growth: FileGrowth?
    /// SQLite's extended code of the first failed checkpoint. A reader in the way is not a failure, and neither is a full
    /// disk: the log keeps everything, and the pages are written again from it.
    private(set) var failure: Int32?
    /// True if the last checkpoint found no space.
    private(set) var isShortOfSpace = false
    /// Lets checkpoints be without an fsync until the log has become long; nil: each of them begins it anew.
    var pin: LogPin?
    /// The file, if what is written to it without an fsync is to be carried to the disk meanwhile.
    var carried: DatabaseFile?
    /// Pages in the log that may not be in the file yet.
    var pagesToWrite: Int32 { pagesInLog - written }
    private var pagesInLog: Int32 = 0
    /// Those of them that are in the file.
    private var written: Int32 = 0
    /// Pages that were in the log when a checkpoint was last thought of.
    private var lookedAt: Int32 = 0
    /// Checkpoints without an fsync since the log has been too long: they leave little to the one that begins it anew.
    private var approaches = 0
    private static let mostApproaches = 2
    /// For others who need the connection at once.
    let breaking = CheckpointBreak()
    /// Checkpoints broken off, one after another.
    private var brokenOff = 0
    private static let mostBrokenOff = 2

    init(_ options: DatabaseOptions) {
        pages = options.checkpointPages
        isDeferred = options.defersCheckpoints
        longestLog = options.longestLogPages
    }

    /// How many times as long as usual a log may become before a commit writes it to the file although that is deferred.
    static let patience: Int32 = 8

    /// Replaces the auto-checkpoint of a connection; the checkpointer must outlive it.
    func install(on db: Database) {
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, connection, name, pages in
                let checkpointer = Unmanaged<Checkpointer>.fromOpaque(context!).takeUnretainedValue()
                checkpointer.committed(connection, name, pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func committed(_ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ pagesInLog: Int32) {
        if pagesInLog < max(self.pagesInLog, lookedAt) { (written, lookedAt) = (0, 0) }  // it was begun anew
        self.pagesInLog = pagesInLog
        let new = pagesInLog - lookedAt
        guard new >= pages, failure == nil else { return }
        isDue = true
        if !isDeferred || new >= pages * Self.patience { checkpointIfDue(connection, name) }
    }

    /// Writes a long log to the file, as far as that needs no fsync while it is no longer than it may become.
    ///
    /// - Parameter mayBreak: whether ``CheckpointBreak/cut()`` may end it; it stays due then. After two in a row it may not.
    func checkpointIfDue(_ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?, mayBreak: Bool = false) {
        guard isDue else { return }
        let mayBreak = mayBreak && brokenOff < Self.mostBrokenOff, isTooLong = pagesInLog >= longestLog
        guard let pin, !isTooLong || approaches < Self.mostApproaches else {
            checkpoint(connection, name, mayBreak: mayBreak)
            return
        }
        if pin.isHeld {
            let code = write(connection, name, SQLITE_CHECKPOINT_PASSIVE, mayBreak: mayBreak)
            if code & 0xff == SQLITE_INTERRUPT { return }
            if let carried { SteadyWriteBack.shared.carry(carried) }
        }
        approaches = isTooLong ? approaches + 1 : 0
        isDue = isTooLong
        lookedAt = pagesInLog
        pin.move()
        if !pin.isHeld { checkpoint(connection, name) }
    }

    /// Writes the whole log to the file, in one of SQLite's modes; returns its extended code.
    @discardableResult
    func checkpoint(
        _ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?, mode: Int32 = SQLITE_CHECKPOINT_PASSIVE,
        mayBreak: Bool = false
    ) -> Int32 {
        pin?.release()
        let code = write(connection, name, mode, mayBreak: mayBreak)
        if code & 0xff == SQLITE_INTERRUPT { return code }
        (isDue, approaches) = (false, 0)
        // A reader in the way leaves the log as long as it is; then the next try comes after as many pages as usual.
        lookedAt = pin == nil ? 0 : pagesInLog
        // What is all in the file is begun anew by the next commit.
        if pagesToWrite == 0 { (pagesInLog, written) = (0, 0) }
        return code
    }

    @discardableResult
    private func write(
        _ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ mode: Int32, mayBreak: Bool
    ) -> Int32 {
        // It may run inside a commit whose sync is put off, and relies on the log.
        nkul_gathering_put_off(UnsafeMutableRawPointer(connection), 0)
        growth?.makeRoom(connection, name)
        var inLog: Int32 = 0, written: Int32 = 0
        let run = { sqlite3_wal_checkpoint_v2(connection, name, mode, &inLog, &written) }
        let code = if mayBreak, let connection { breaking.during(connection, run) } else { run() }
        brokenOff = code & 0xff == SQLITE_INTERRUPT ? brokenOff + 1 : 0
        if inLog >= 0, code == SQLITE_OK || code == SQLITE_BUSY { (pagesInLog, self.written) = (inLog, written) }
        isShortOfSpace = code & 0xff == SQLITE_FULL
        switch code & 0xff {
        case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_INTERRUPT: break
        default:
            failure = code
            keepLog(connection, name)
        }
        return code
    }

    /// Leaves the log where it is when the connection is closed, to be written anew when the database is next opened: what
    /// earlier checkpoints wrote without an fsync may be gone, and SQLite takes it for written. (A process that still reads
    /// the database then keeps SQLite from noticing; only the death of all of them does.)
    private func keepLog(_ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?) {
        var isKept: Int32 = 1
        sqlite3_file_control(connection, name, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        sqlite3_exec(connection, "PRAGMA journal_size_limit = -1", nil, nil, nil)
    }
}
