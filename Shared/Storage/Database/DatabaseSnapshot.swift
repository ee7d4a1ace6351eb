public import GRDB
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// One moment of a database that its service may be writing meanwhile, to be read and to be copied.
///
/// From ``begin()`` to ``close()`` the service's write-ahead log cannot be emptied and grows: be quick about it.
/// Threading: calls are serialised and run on the caller's thread.
public final class DatabaseSnapshot {
    public let path: String
    private let queue: DatabaseQueue

    /// Opens an existing database for reading only; the moment comes with ``begin()``.
    ///
    /// - Throws: ``StorageError``.
    public init(path: String) throws {
        self.path = path
        var configuration = DatabaseOptions(cacheBytes: 4 << 20).readerConfiguration
        configuration.label = "snapshot"
        configuration.allowsUnsafeTransactions = true
        do { queue = try DatabaseQueue(path: path, configuration: configuration) } catch let error as DatabaseError {
            throw StorageError(error, path: path)
        }
    }

    /// Takes the moment: whatever is read from here on is what was committed by now.
    public func begin() throws {
        try inDatabase { db in
            try db.execute(sql: "BEGIN DEFERRED")
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
        }
    }

    /// Reads at the moment.
    public func read<T>(_ body: (Database) throws -> T) throws -> T { try inDatabase(body) }

    /// Bytes of the file that `copy(_:_:)` hands out.
    public func byteCount() throws -> Int {
        try inDatabase { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            return pages * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
    }

    /// Copies the moment into a file that nobody else can see, and hands it out for reading.
    ///
    /// The file has no name from the beginning on, so nothing of it is left whatever happens.
    ///
    /// - Parameters:
    ///   - directory: where its space is taken.
    ///   - pause: called every few MB; what it throws ends the copy.
    ///   - body: is given a descriptor at the beginning of the file, which is closed afterwards.
    public func copy<T>(
        in directory: String, pause: () throws -> Void = {}, _ body: (_ descriptor: Int32) throws -> T
    ) throws -> T {
        let file = try NamelessCopy(in: directory)
        try withoutActuallyEscaping(pause) { pause in
            try inDatabase { db in
                try file.queue.inDatabase { copy in
                    try db.backup(to: copy, pagesPerStep: 2_048) { _ in try pause() }
                }
            }
        }
        try pause()
        return try body(file.descriptor)
    }

    /// Lets the moment go.
    public func close() throws {
        do { try queue.close() } catch let error as DatabaseError { throw StorageError(error, path: path) }
    }

    private func inDatabase<T>(_ body: (Database) throws -> T) throws -> T {
        do { return try queue.inDatabase(body) } catch let error as DatabaseError {
            throw StorageError(error, path: path)
        }
    }
}

/// A database file without a name.
private final class NamelessCopy {
    let queue: DatabaseQueue
    let descriptor: Int32

    init(in directory: String) throws {
        let path = "\(directory)/copy.\(getpid()).\(UInt32.random(in: .min ... .max)).sqlite"
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SecretFile.failure(path, errno) }
        defer { unlink(path) }
        var configuration = Configuration()
        configuration.label = "copy"
        configuration.prepareDatabase { db in
            // Without a journal SQLite never asks whether the file still has its name.
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = OFF")
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.execute(sql: "PRAGMA cache_size = -16384")
        }
        do { queue = try DatabaseQueue(path: path, configuration: configuration) } catch {
            close(file)
            throw error
        }
        descriptor = file
    }

    deinit {
        // The descriptor last: closing one gives up the process's locks on the file.
        try? queue.close()
        close(descriptor)
    }
}
