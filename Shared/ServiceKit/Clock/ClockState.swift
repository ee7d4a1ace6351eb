public import Models

/// How a service's clock is: in `/healthz`, and the answer to the control calls `clock.show` and `clock.set`.
public struct ClockState: Codable, Sendable, Equatable {
    public let mode: ClockMode
    public let now: UnixMilliseconds
    /// Milliseconds of it in one of the system.
    public let speed: Double

    enum CodingKeys: String, CodingKey {
        case mode = "clock"
        case now = "now_ms"
        case speed
    }

    public init(_ clock: WallClock) {
        (mode, now, speed) = (clock.mode, clock.now(), clock.speed)
    }
}
