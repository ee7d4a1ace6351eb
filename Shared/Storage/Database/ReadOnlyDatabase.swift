public import GRDB

/// A reading connection to a service's database: it can neither write nor checkpoint.
///
/// Threading: calls are serialised and run on the caller's thread. A long read holds back the writer's checkpoints (the
/// log grows), so read in pages.
public final class ReadOnlyDatabase: Sendable {
    public let path: String
    private let queue: DatabaseQueue

    /// Opens an existing database, also one that another process writes. It must have been opened by its service once.
    public init(path: String, options: DatabaseOptions = DatabaseOptions()) throws {
        self.path = path
        do {
            queue = try DatabaseQueue(
                path: try DatabaseLocation.name(path, vfs: options.vfs), configuration: options.readerConfiguration)
        } catch let error as DatabaseError {
            throw StorageError(error, path: path)
        }
    }

    /// The writer's own connection, for databases in memory, which have no other.
    init(sharing database: ServiceDatabase) {
        path = database.path
        queue = database.queue
    }

    /// Runs `body` in one read transaction: all it reads is of one moment.
    public func read<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try queue.read(body)
        } catch let error as DatabaseError {
            throw StorageError(error, path: path)
        }
    }

    /// Runs `body`, which executes one statement: that alone is of one moment, without the cost of a transaction.
    public func readOne<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try queue.unsafeRead(body)
        } catch let error as DatabaseError {
            throw StorageError(error, path: path)
        }
    }

    /// Closes the connection; later calls throw.
    public func close() throws {
        do { try queue.close() } catch let error as DatabaseError { throw StorageError(error, path: path) }
    }
}

extension ServiceDatabase {
    /// A new reading connection of its own (of a database in memory: the writer's).
    public func reader() throws -> ReadOnlyDatabase {
        guard path != ":memory:" else { return ReadOnlyDatabase(sharing: self) }
        return try ReadOnlyDatabase(path: path, options: options)
    }
}
