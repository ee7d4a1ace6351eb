internal import Dispatch

/// A thread for SQLite reads, so that they never block the threads that serve connections.
///
/// What runs on it runs one after another; a connection that is only used by it is confined to it.
final class ReadingThread: Sendable {
    private let queue: DispatchQueue

    init(_ name: String) { queue = DispatchQueue(label: name, qos: .userInitiated) }

    /// Runs `body` on the thread and waits without blocking.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
