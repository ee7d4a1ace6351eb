public import Models

/// What the clocks of a phone say at one moment.
public struct ClockReading: Sendable, Equatable {
    /// The clock that people set, Unix milliseconds.
    public var wall: UnixMilliseconds
    /// Milliseconds since the phone was started, those of sleep included (`CLOCK_BOOTTIME`, `mach_continuous_time`).
    public var uptime: Int64
    /// Another text after each start of the phone.
    public var boot: String

    public init(wall: UnixMilliseconds, uptime: Int64, boot: String) {
        self.wall = wall
        self.uptime = uptime
        self.boot = boot
    }
}

/// The clocks of a phone, and what wakes the kit. Any thread.
public protocol DeviceClock: Sendable {
    /// What they say now.
    var now: ClockReading { get }

    /// Calls `body` once after so many milliseconds, as near as the system allows, also out of sleep; each call replaces the one
    /// before it.
    func wake(after milliseconds: Int64, _ body: @escaping @Sendable () -> Void)
}
