internal import Synchronization

/// Collects what arrives on a socket thread; a test waits for it without sleeping.
public final class Inbox<Element: Sendable>: Sendable {
    private struct State {
        var items: [Element] = []
        var waiter: CheckedContinuation<Void, Never>?
        var wanted = 0
        var isCancelled = false
    }

    private let state = Mutex(State())

    public init() {}

    /// Adds what arrived; from any thread.
    public func put(_ item: Element) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.items.append(item)
            guard state.items.count >= state.wanted else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until this many items are there in all; by one task at a time.
    ///
    /// - Throws: `CancellationError` when the time limit of the test is over.
    public func wait(for count: Int) async throws -> [Element] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    guard state.items.count < count, !state.isCancelled else { return true }
                    state.wanted = count
                    state.waiter = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
        try Task.checkCancellation()
        return items
    }

    /// All that has arrived.
    public var items: [Element] { state.withLock { $0.items } }
}
