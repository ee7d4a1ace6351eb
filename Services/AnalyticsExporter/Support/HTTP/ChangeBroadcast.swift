internal import Synchronization

/// Wakes those who wait for changes: of alarms, and from time to time for a heartbeat, or of endpoints.
///
/// Thread-safe; carries no changes, only the news that there are some.
package final class ChangeBroadcast: Sendable {
    private struct State {
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Wake-ups for one listener until it is closed; one that comes while the last is not taken is merged with it.
    package func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.waiting[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    /// How many listen.
    package var listeners: Int { state.withLock { $0.waiting.count } }

    package func send() {
        for continuation in state.withLock({ Array($0.waiting.values) }) { continuation.yield() }
    }

    /// Ends all streams, so that the server can stop.
    package func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.finish() }
    }

    private func forget(_ number: Int) {
        state.withLock { _ = $0.waiting.removeValue(forKey: number) }
    }

    package init() {}
}
