public import Models

/// Where a program takes the time from; passed in, so that a test can say what time it is.
public struct WallClock: Sendable {
    private let read: @Sendable () -> UnixMilliseconds

    /// A clock of one's own: `WallClock { 1_750_000_000_000 }`.
    public init(_ read: @escaping @Sendable () -> UnixMilliseconds) { self.read = read }

    /// Now, in Unix milliseconds.
    public func now() -> UnixMilliseconds { read() }

    /// The system's clock.
    public static let system = WallClock { SystemTime.unixMilliseconds() }
}
