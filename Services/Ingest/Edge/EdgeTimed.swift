internal import NIOCore

/// A connection that ``EdgeRounds`` looks at once a second.
protocol EdgeTimed: AnyObject {
    var eventLoop: any EventLoop { get }

    /// Closes what is over its time. On the event loop.
    func check(now: NIODeadline)
}
