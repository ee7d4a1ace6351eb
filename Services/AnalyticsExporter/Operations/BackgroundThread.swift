internal import Dispatch
internal import ServiceKit
internal import Storage
internal import Synchronization

/// Calls a step again and again, on a thread of its own that gets the time that nobody else wants. Usable from any
/// thread.
package final class BackgroundThread: Sendable {
    private let name: String
    private let isStarted = Atomic<Bool>(false)
    private let isStopped = Atomic<Bool>(false)
    private let signal = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    package init(_ name: String) { self.name = name }

    /// False when a step is to leave everything.
    package var goesOn: Bool { !isStopped.load(ordering: .relaxed) }

    /// Starts it, once.
    ///
    /// - Parameters:
    ///   - pause: how long it waits when nothing is due, and after a step has failed; seconds.
    ///   - step: does the next thing that is due; false if nothing is. `ControlError` `stopping` from it ends the thread.
    ///   - failed: gets any other error of a step.
    package func start(
        pause: (idle: Int, failed: Int), step: @escaping @Sendable () throws -> Bool,
        failed: @escaping @Sendable (any Error) -> Void
    ) {
        isStarted.store(true, ordering: .relaxed)
        WorkThread.start(name, niceness: 19) { [self] in
            defer { ended.signal() }
            while goesOn {
                var wait = pause.idle
                do {
                    if try step() { continue }
                } catch let error as ControlError where error.code == ControlError.stopping {
                    return
                } catch {
                    failed(error)
                    wait = pause.failed
                }
                _ = signal.wait(timeout: .now() + .seconds(wait))
            }
        }
    }

    /// Ends a pause: something may be due.
    package func wake() { signal.signal() }

    /// Returns when the last step has; at once if it was not started. To be called when the queue of changes is closed.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        signal.signal()
        if isStarted.load(ordering: .relaxed) { ended.wait() }
    }
}
