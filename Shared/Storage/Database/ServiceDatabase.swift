public import GRDB
internal import GRDBSQLite
internal import Synchronization

/// The one writing connection of a service's SQLite file, which alone checkpoints.
///
/// WAL, `synchronous=FULL`: when ``write(_:)`` returns, the transaction is on disk. Why one writer: SQLite 3.7.0 to 3.51.2
/// can corrupt a WAL database when two connections write or checkpoint at the same instant. Frames of the log reach the file
/// system in large pieces (`CWriteGathering`).
///
/// Threading: calls are serialised and run on the caller's thread. After a failed read, write or fsync the database is
/// poisoned: every later call throws, because the kernel may have dropped pages that it reported as written.
public final class ServiceDatabase: @unchecked Sendable {
    // Sendable: `queue` serialises every access to the connection and, through it, to `participants`, `steadyFiles` and
    // `checkpointer`; `poison` has a lock; the rest is constant.

    /// Path of the file; ":memory:" for simulations, which has no readers of its own.
    public let path: String
    /// Bytes set aside for a full disk, if the options asked for them.
    public let ballast: Ballast?
    let options: DatabaseOptions
    let queue: DatabaseQueue
    private let checkpointer: Checkpointer
    private let poison = Mutex<StorageError?>(nil)
    private var participants: [WeakParticipant] = []
    /// The file and its write-ahead log, if what is written to them is carried to the disk steadily.
    private var steadyFiles: [DatabaseFile] = []

    /// Of the file: one that was there keeps its own, whatever the options say.
    private let pageBytes: Int

    /// Opens or creates a database and brings its schema to the number of migrations.
    ///
    /// - Throws: ``StorageError`` `newerHome` if the file has more migrations than given, `notWritable` with path and reason.
    public init(path: String, migrations: [Migration], options: DatabaseOptions = DatabaseOptions()) throws {
        if path != ":memory:" && options.vfs == nil { try DirectoryCheck.requireWritable(path) }
        self.path = path
        self.options = options
        checkpointer = Checkpointer(options)
        ballast = options.ballastBytes > 0 ? Ballast(path: path + ".ballast", byteCount: options.ballastBytes) : nil
        do {
            let vfs = path == ":memory:" ? nil : try DatabaseLocation.gatheringVFS(over: options.vfs)
            queue = try DatabaseQueue(
                path: try DatabaseLocation.name(path, vfs: vfs), configuration: options.writerConfiguration)
            pageBytes = try queue.inDatabase { [checkpointer] db in
                try Schema(path: path, migrations: migrations).refuseIfNewer(db)
                if path != ":memory:" { try db.enterWAL() }
                checkpointer.install(on: db)
                try Schema(path: path, migrations: migrations).migrate(db)
                return try Int.fetchOne(db, sql: "PRAGMA page_size") ?? options.pageBytes
            }
            if path != ":memory:", options.longestLogPages > 0 {
                checkpointer.pin = try LogPin(path: path, options: options)
            }
            if path != ":memory:" && options.vfs == nil { prepareFiles() }
        } catch let error as DatabaseError {
            throw StorageError(error, path: path)
        }
        _ = try ballast?.restore()
    }

    /// Runs one transaction (`BEGIN IMMEDIATE` … `COMMIT`) on the caller's thread; rolls back if `body` throws.
    ///
    /// - Throws: errors of `body` unchanged, except that SQLite's become ``StorageError``. After `diskFull` the ballast is
    ///   released, so that what frees space can run.
    public func write<T>(_ body: (Database) throws -> T) throws -> T { try write(isSynced: true, body) }

    /// As ``write(_:)``, but a power cut may still take the transaction, and those before it that were not synced, until
    /// ``sync()`` returns; readers see it, and it outlives the process. For what may be made again.
    public func writeUnsynced<T>(_ body: (Database) throws -> T) throws -> T { try write(isSynced: false, body) }

    /// Has what ``writeUnsynced(_:)`` has committed carried to the disk.
    ///
    /// - Throws: ``StorageError`` `inputOutput` if it fails, after which the database accepts nothing more.
    public func sync() throws {
        try throwIfPoisoned()
        let code = queue.inDatabase { db in LogSync.run(db) }
        guard code != SQLITE_OK else { return }
        throw noted(
            StorageError(.inputOutput, path: path, message: "the log cannot be synced", sqliteCode: code))
    }

    private func write<T>(isSynced: Bool, _ body: (Database) throws -> T) throws -> T {
        try throwIfPoisoned()
        do {
            let result = try queue.inDatabase { db in
                defer { if !isSynced { LogSync.putOff(db, false) } }
                return try transaction(db) { db in
                    let result = try body(db)
                    if !isSynced { LogSync.putOff(db, true) }
                    return result
                }
            }
            try lookAtCheckpoint()
            return result
        } catch let error as DatabaseError {
            throw noted(StorageError(error, path: path))
        } catch let error as StorageError {
            throw noted(error)
        }
    }

    /// Writes a long log to the file, if the options defer that; to be called after a commit, when nobody waits.
    ///
    /// - Throws: ``StorageError`` `inputOutput` if it fails, after which the database accepts nothing more.
    public func checkpointIfDue() throws {
        try throwIfPoisoned()
        queue.inDatabase { db in checkpointer.checkpointIfDue(db.sqliteConnection, "main", mayBreak: true) }
        do { try lookAtCheckpoint() } catch { throw noted(error) }
    }

    /// Breaks off a ``checkpointIfDue()`` that is writing pages, because somebody needs the database now; it stays due. From any
    /// thread; does nothing if none runs.
    public func breakCheckpoint() { checkpointer.breaking.cut() }

    /// Runs a checkpoint that also makes the log empty; a failure to write poisons the database. SQLite's extended code.
    func emptyLog(waiting: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32) throws -> Int32 {
        try throwIfPoisoned()
        let code = queue.inDatabase { db in
            if !steadyFiles.isEmpty { SteadyWriteBack.shared.begin(steadyFiles) }
            sqlite3_busy_handler(db.sqliteConnection, waiting, nil)
            defer {
                sqlite3_busy_timeout(db.sqliteConnection, DatabaseOptions.busySeconds * 1_000)
                if !steadyFiles.isEmpty { SteadyWriteBack.shared.end(steadyFiles) }
            }
            return checkpointer.checkpoint(db.sqliteConnection, "main", mode: SQLITE_CHECKPOINT_TRUNCATE)
        }
        do { try lookAtCheckpoint() } catch { throw noted(error) }
        return code
    }

    /// Bytes of the write-ahead log that ``truncateLog()`` would have to write to the file, at most; none right after a
    /// checkpoint of the whole log, before something else is committed.
    public var unwrittenLogBytes: Int { queue.inDatabase { _ in Int(checkpointer.pagesToWrite) * pageBytes } }

    private func lookAtCheckpoint() throws(StorageError) {
        if let failure = checkpointer.failure {
            throw StorageError(.inputOutput, path: path, message: "checkpoint failed", sqliteCode: failure)
        }
        if checkpointer.isShortOfSpace { ballast?.release() }
    }

    /// Reads on the writing connection, outside a transaction of its own.
    public func read<T>(_ body: (Database) throws -> T) throws -> T {
        try throwIfPoisoned()
        do {
            return try queue.read(body)
        } catch let error as DatabaseError {
            throw noted(StorageError(error, path: path))
        }
    }

    /// Has a participant told how each transaction ended; it is held weakly.
    public func add(_ participant: any TransactionParticipant) {
        queue.inDatabase { _ in
            participants.removeAll { $0.value == nil }
            participants.append(WeakParticipant(value: participant))
        }
    }

    /// Closes the connection; later calls throw. Checkpoints if it is the last connection.
    public func close() throws {
        poison.withLock {
            $0 = $0 ?? StorageError(.poisoned, path: path, message: "the database is closed")
        }
        checkpointer.pin?.close()
        do { try queue.close() } catch let error as DatabaseError { throw StorageError(error, path: path) }
        // Nobody is in `queue` any more, and nobody gets in: descriptors go with the connection, before one of a later
        // owner has locks to lose.
        let isCarried = !steadyFiles.isEmpty || checkpointer.carried != nil
        checkpointer.growth = nil
        checkpointer.carried = nil
        if isCarried { SteadyWriteBack.shared.letGo() }
        steadyFiles = []
    }

    /// The failure after which the database accepts nothing more, if there was one.
    public var failure: StorageError? { poison.withLock { $0 } }

    /// Has the files treated as the options ask.
    private func prepareFiles() {
        if options.growthBytes > 0 || options.longestLogPages > 0, let file = DatabaseFile(path: path) {
            if options.growthBytes > 0 {
                checkpointer.growth = FileGrowth(file, stepBytes: options.growthBytes)
            }
            if options.longestLogPages > 0 { checkpointer.carried = file }
        }
        if options.writesBackSteadily {
            _ = SteadyWriteBack.shared  // so that its thread does not have the turn of one that commits
            steadyFiles = [path, path + "-wal"].compactMap(DatabaseFile.init(path:))
        }
    }

    private func transaction<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        var result: T?
        defer { if !steadyFiles.isEmpty { SteadyWriteBack.shared.end(steadyFiles) } }
        do {
            try db.inTransaction(.immediate) {
                result = try body(db)
                if !steadyFiles.isEmpty { SteadyWriteBack.shared.begin(steadyFiles) }
                return .commit
            }
        } catch {
            for participant in participants { participant.value?.transactionRolledBack() }
            throw error
        }
        for participant in participants { participant.value?.transactionCommitted() }
        return result!
    }

    private func throwIfPoisoned() throws {
        if let first = failure {
            throw StorageError(
                .poisoned, path: path, message: "not usable since: \(first.message)", sqliteCode: first.sqliteCode)
        }
    }

    private func noted(_ error: StorageError) -> StorageError {
        if error.isFinal { poison.withLock { $0 = $0 ?? error } }
        if error.code == .diskFull { ballast?.release() }
        return error
    }
}

/// A reference that does not keep its object alive.
private struct WeakParticipant {
    weak var value: (any TransactionParticipant)?
}

/// Something that keeps in memory what a database keeps on disk, and must forget what was rolled back.
///
/// Both functions are called on the thread that called ``ServiceDatabase/write(_:)``, after the transaction.
public protocol TransactionParticipant: AnyObject {
    /// The transaction is on disk.
    func transactionCommitted()
    /// Nothing of the transaction happened.
    func transactionRolledBack()
}
