internal import NIOCore

/// Larger uploads of one event loop that wait to be read: a few at a time, for in between the loop looks at its sockets, so that
/// a small one that has just come, as one of an alarm, is not read behind them all.
///
/// In the order in which they came. Confined to its event loop. Bounded by the connections, which have one request each.
final class EdgeTurns {
    private var waiting = CircularBuffer<() -> Void>()
    private var isScheduled = false
    private let pause: TimeAmount

    /// Bodies up to so many bytes are read as soon as they are complete.
    static let smallBytes = 2_048

    /// - Parameter pause: after which reading goes on. The loop looks at its sockets in between if it gets there in that time.
    init(pause: TimeAmount = .microseconds(10)) { self.pause = pause }

    /// Has one read when it is its turn; at once where nothing else has come.
    func add(on loop: any EventLoop, _ read: @escaping () -> Void) {
        waiting.append(read)
        guard !isScheduled else { return }
        isScheduled = true
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.goOn(on: loop) }
    }

    private func goOn(on loop: any EventLoop) {
        let end = NIODeadline.now() + Self.atOnce
        while let read = waiting.popFirst() {
            read()
            guard NIODeadline.now() >= end, !waiting.isEmpty else { continue }
            let bound = NIOLoopBound(self, eventLoop: loop)
            // A task without a time would run before the loop looks at its sockets.
            loop.scheduleTask(in: pause) { bound.value.goOn(on: loop) }
            return
        }
        isScheduled = false
    }

    /// For how long uploads are read before sockets are looked at, and until when tasks without a time are done by then.
    private static let atOnce = TimeAmount.microseconds(250)
}

/// A connection that ``EdgeRounds`` looks at once a second.
protocol EdgeTimed: AnyObject {
    var eventLoop: any EventLoop { get }

    /// Closes what is over its time. On the event loop.
    func check(now: NIODeadline)
}
