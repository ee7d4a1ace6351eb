internal import Dispatch
package import GRDB
package import ServiceKit
package import Storage
internal import Synchronization

/// Reading connections to the exporter's own database, each on a thread of its own. Usable from any thread.
package final class StateReaders: Sendable {
    private struct Reader: Sendable {
        let thread: ReadingThread
        let connection: ReadOnlyDatabase
    }

    private let readers: [Reader]
    private let turn = Atomic<Int>(0)
    private let waiting: Permits

    /// - Parameter limit: reads that may wait or run at once; more are refused with ``ExporterAPIError/busy``.
    package init(_ database: ServiceDatabase, count: Int = 2, limit: Int = 256, metrics: Metrics) throws {
        readers = try (0..<count).map {
            Reader(thread: ReadingThread("state \($0)"), connection: try database.reader())
        }
        waiting = Permits(limit, "reads", metrics)
    }

    /// Reads in one transaction, without blocking the caller's thread.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try waiting.take()
        defer { waiting.giveBack() }
        let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        let reader = readers[Int(UInt(bitPattern: number) % UInt(readers.count))]
        return try await reader.thread.run { try reader.connection.read(body) }
    }
}

/// A thread for SQLite reads, so that they never block the threads that serve connections.
///
/// What runs on it runs one after another; a connection that is only used by it is confined to it.
package final class ReadingThread: Sendable {
    private let queue: DispatchQueue

    package init(_ name: String) { queue = DispatchQueue(label: name, qos: .userInitiated) }

    /// Runs `body` on the thread and waits without blocking.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
