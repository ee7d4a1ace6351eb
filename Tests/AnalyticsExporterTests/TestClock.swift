import Synchronization

/// A clock that a test sets. Thread-safe.
final class TestClock: Sendable {
    private let time: Mutex<Int64>

    init(_ time: Int64) { self.time = Mutex(time) }

    var now: Int64 { time.withLock { $0 } }

    func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
