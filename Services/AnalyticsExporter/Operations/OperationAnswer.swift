internal import Synchronization

/// The one answer to somebody who waits. Thread-safe; only the first counts.
final class OperationAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) { waiting = Mutex(continuation) }

    func give(_ result: Result<Value, any Error>) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(with: result)
    }
}
