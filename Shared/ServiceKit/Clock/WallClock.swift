public import Models

/// Where a program takes the time from; passed in, so that a test can say what time it is.
public struct WallClock: Sendable {
    private let read: @Sendable () -> UnixMilliseconds
    /// The recording's clock that it is; nil for any other.
    public let recording: RecordingClock?

    /// A clock of one's own: `WallClock { 1_750_000_000_000 }`.
    public init(_ read: @escaping @Sendable () -> UnixMilliseconds) {
        self.read = read
        recording = nil
    }

    public init(_ recording: RecordingClock) {
        read = recording.now
        self.recording = recording
    }

    /// Now, in Unix milliseconds.
    public func now() -> UnixMilliseconds { read() }

    /// How long it really takes until it shows `time`.
    public func pause(until time: UnixMilliseconds) -> Duration {
        recording?.pause(until: time) ?? .milliseconds(max(0, time - now()))
    }

    public var mode: ClockMode { recording == nil ? .wall : .recording }

    /// Milliseconds of it in one of the system.
    public var speed: Double { recording?.speed ?? 1 }

    /// The system's clock.
    public static let system = WallClock { SystemTime.unixMilliseconds() }
}

/// What the clocks of services follow (`NKUL_CLOCK`).
public enum ClockMode: String, CaseIterable, Sendable, Codable {
    /// The system's clock.
    case wall
    /// A recording, while `nkul replay --clock` plays one; else the system's clock.
    case recording
}
