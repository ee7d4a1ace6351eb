/// The timers of a socket loop: a few, so an array serves. Times are nanoseconds of one monotonic clock.
struct LoopTimers {
    private struct Timer {
        let handle: TimerHandle
        var due: UInt64
        let interval: UInt64?
        let body: () -> Void
    }

    private var timers: [Timer] = []
    private var lastNumber = 0

    mutating func add(due: UInt64, interval: UInt64?, _ body: @escaping () -> Void) -> TimerHandle {
        lastNumber += 1
        let handle = TimerHandle(number: lastNumber)
        timers.append(Timer(handle: handle, due: due, interval: interval, body: body))
        return handle
    }

    mutating func cancel(_ handle: TimerHandle) {
        timers.removeAll { $0.handle == handle }
    }

    /// When the next timer is due.
    var next: UInt64? { timers.min { $0.due < $1.due }?.due }

    /// Takes one due timer and sets it again if it repeats; beats that were missed are skipped.
    mutating func takeDue(at now: UInt64) -> (() -> Void)? {
        guard let index = timers.indices.filter({ timers[$0].due <= now }).min(by: { timers[$0].due < timers[$1].due })
        else { return nil }
        let timer = timers[index]
        guard let interval = timer.interval else {
            timers.remove(at: index)
            return timer.body
        }
        timers[index].due = max(timer.due + interval, now + 1)
        return timer.body
    }
}

/// Names a timer of one `SocketLoop`.
public struct TimerHandle: Sendable, Hashable {
    let number: Int
}
