internal import Storage

/// Tells others things in the place of a thread that takes leftovers (`SCHED_IDLE`).
///
/// Whoever is told may be a task, for which the system starts a thread then and there; that begins with the turn of the one
/// that told it, can never change it, and would answer an operator when nobody else wants the core. Messages are told in order,
/// soon, at the usual turn. How many wait is bounded by those who have them told: one for each change or question that waits.
/// Thread-safe.
public final class Messenger: Sendable {
    private let state = WaitableState(State())

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isRunning = false
    }

    /// Has no thread before `start()`; until then whoever tells does it by itself.
    public init() {}

    /// Starts the thread; from one that has the usual turn.
    func start() {
        state.change { $0.isRunning = true }
        WorkThread.start("messenger", niceness: 0) { [self] in
            while let messages = next() { for message in messages { message() } }
        }
    }

    /// Has a message told; by the caller itself where there is no thread.
    public func tell(_ message: @escaping @Sendable () -> Void) {
        let isRunning = state.change { state in
            if state.isRunning { state.waiting.append(message) }
            return state.isRunning
        }
        if !isRunning { message() }
    }

    /// Ends the thread when all that waits has been told.
    func end() { state.change { $0.isRunning = false } }

    /// What waits; nil at the end.
    private func next() -> [@Sendable () -> Void]? {
        state.wait { state in
            guard !state.waiting.isEmpty else { return state.isRunning ? .wait : .done(nil) }
            defer { state.waiting = [] }
            return .done(state.waiting)
        }
    }
}
