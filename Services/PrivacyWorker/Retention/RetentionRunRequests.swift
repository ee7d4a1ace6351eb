internal import ServiceKit
internal import Synchronization

/// Runs that an operator wants, on their way to the thread of the effects, and the orders they became, on their way back. From
/// any thread.
package final class RetentionRunRequests: Sendable {
    /// Requests that may wait.
    static let most = 8

    struct Request: Sendable {
        let number: Int
        let isDryRun: Bool
    }

    private struct State {
        var waiting: [Request] = []
        var replies: [Int: CheckedContinuation<String, any Error>] = [:]
        var next = 0
        var wake: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    package init() {}

    /// What has the effects look at once at what is due.
    func wake(by wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// True while something waits.
    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// The identifier of the order, once it is committed.
    ///
    /// - Throws: `ControlError` if too many wait; `CancellationError`.
    func make(isDryRun: Bool) async throws -> String {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reply in
                let wake = state.withLock { state -> (@Sendable () -> Void)? in
                    guard state.waiting.count < Self.most, !Task.isCancelled else { return nil }
                    state.waiting.append(Request(number: number, isDryRun: isDryRun))
                    state.replies[number] = reply
                    return state.wake
                }
                guard let wake else {
                    return reply.resume(throwing: ControlError.refused("too many runs are asked for at once"))
                }
                wake()
            }
        } onCancel: {
            state.withLock { $0.replies.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }

    /// The same for who does not wait for the order; false if too many wait.
    package func add(isDryRun: Bool) -> Bool {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.waiting.count < Self.most else { return nil }
            state.next += 1
            state.waiting.append(Request(number: state.next, isDryRun: isDryRun))
            return state.wake
        }
        wake?()
        return wake != nil
    }

    /// Those that wait, once.
    func take() -> [Request] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// The order of a request is committed.
    func fulfil(_ request: Request, by order: String) {
        state.withLock { $0.replies.removeValue(forKey: request.number) }?.resume(returning: order)
    }
}
