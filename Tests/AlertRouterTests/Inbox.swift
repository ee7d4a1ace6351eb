import Synchronization
import Testing
import ZeroMQ

/// Collects what arrives on a socket thread; a test waits for it without sleeping.
final class Inbox<Element: Sendable>: Sendable {
    private let state = Mutex<(items: [Element], waiter: CheckedContinuation<Void, Never>?, wanted: Int)>(([], nil, 0))

    func put(_ item: Element) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.items.append(item)
            guard state.items.count >= state.wanted else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until this many items are there in all. A test's time limit ends the wait for what never comes.
    func wait(for count: Int) async -> [Element] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.items.count < count else { return true }
                state.wanted = count
                state.waiter = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
        return items
    }

    var items: [Element] { state.withLock { $0.items } }
}
