/// The clock of a simulated run: Unix milliseconds that move only when the run says so.
///
/// A class, because everything in one run shares it; confined to the run's thread.
public final class VirtualClock {
    /// The present moment, Unix milliseconds.
    public private(set) var now: Int64

    /// A clock that stands at `start`, Unix milliseconds.
    public init(start: Int64) {
        now = start
    }

    /// Moves to `moment`; a moment that has passed leaves the clock where it stands.
    public func advance(to moment: Int64) {
        now = max(now, moment)
    }
}
