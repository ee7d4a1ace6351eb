/// How long a service waits for more blocks before it commits; less if half a window waits, or none has come for 0.1 s.
public struct GatherWindow: Sendable {
    /// Least time from the end of one step to the next.
    public var minimum: Duration
    /// Largest share of time (0…1) spent in steps: after a long step the pause grows.
    public var busyShare: Double

    public init(minimum: Duration, busyShare: Double = 1) {
        self.minimum = minimum
        self.busyShare = min(max(busyShare, 0.01), 1)
    }

    /// Each block at once.
    public static let none = GatherWindow(minimum: .zero)

    /// The pause after a step that took so long.
    func pause(after step: Duration) -> Duration {
        max(minimum, step * (1 / busyShare - 1))
    }
}
