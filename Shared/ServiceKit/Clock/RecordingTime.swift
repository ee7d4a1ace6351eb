public import Models

/// What a recording's clock shows, as a function of the system's: the moment of both at which they met, and the pace. Pure.
///
/// All services that are given the same value show the same time, whenever each of them was told. It never passes the
/// system's clock: one that runs faster catches up with it and is then the same, so a replay that dies leaves no harm.
public struct RecordingTime: Sendable, Equatable, Codable {
    /// Milliseconds of the recording in one of the system.
    public static let speeds: ClosedRange<Double> = 0...1_000_000

    /// What it showed at ``systemAt``.
    public var recordingAt: UnixMilliseconds
    public var systemAt: UnixMilliseconds
    /// 720: a day in two minutes; 0: it stands.
    public var speed: Double

    enum CodingKeys: String, CodingKey {
        case recordingAt = "now_ms"
        case systemAt = "at_ms"
        case speed
    }

    public init(recordingAt: UnixMilliseconds, systemAt: UnixMilliseconds, speed: Double) {
        self.recordingAt = recordingAt
        self.systemAt = systemAt
        self.speed = speed
    }

    /// The system's own time from a moment on.
    public static func system(at now: UnixMilliseconds) -> RecordingTime {
        RecordingTime(recordingAt: now, systemAt: now, speed: 1)
    }

    /// What it shows when the system's clock shows `system`.
    public func reading(at system: UnixMilliseconds) -> UnixMilliseconds {
        let elapsed = Double(max(0, system - systemAt)) * speed
        return min(system, recordingAt + Int64(min(elapsed, 1e15)))
    }

    /// How fast it runs when the system's clock shows `system`: no faster than that once it has caught up with it.
    public func pace(at system: UnixMilliseconds) -> Double {
        reading(at: system) == system ? min(speed, 1) : speed
    }

    /// How long the system's clock runs from `system` on until this one shows `time`; nil if it stands.
    public func pause(until time: UnixMilliseconds, at system: UnixMilliseconds) -> Duration? {
        let left = time - reading(at: system)
        guard left > 0 else { return .zero }
        // Faster than the system until it has caught up with it, and then no more.
        let slowest = Duration.milliseconds(max(0, time - system))
        guard speed > 0 else { return nil }
        return max(.milliseconds(Int64((Double(left) / speed).rounded(.up))), slowest)
    }
}
