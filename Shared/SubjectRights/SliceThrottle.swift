public import Models
internal import Storage

/// When the next slice of something that nobody waits for may be done, an erasure or a retention order: while rows keep coming,
/// each slice is followed by a rest, the longer the more of them, so that it takes its time rather than that of alarms and
/// uploads. Without rows it never rests. Confined to the engine's thread.
public struct SliceThrottle {
    /// Rows a second for each of which a rest is as long as the slice before it: 1/250 of the time is a slice's where
    /// 125 000 come, which is what two cores carry.
    static let rowsARest = 500
    /// Fewer rows of a second than these are no reason to rest.
    static let busy = 1_000
    /// No rest is longer, even after a slice that met a disk that stood still.
    static let longestRest = Duration.seconds(5)

    private let stopwatch: () -> ContinuousClock.Instant
    private var sliceBegan: ContinuousClock.Instant?
    private(set) var rows = RowRate()
    /// What is left of rests below a millisecond.
    private var remainder = Duration.zero
    private var restEnds: UnixMilliseconds = 0

    /// Not before this time; a rest is over when rows have stopped coming.
    public var nextSlice: UnixMilliseconds { min(restEnds, rows.end) }

    /// - Parameter stopwatch: by which slices take their time; a constant makes runs repeatable.
    public init(stopwatch: @escaping () -> ContinuousClock.Instant) { self.stopwatch = stopwatch }

    /// So many rows have come that are none of a slice's business.
    public mutating func came(_ count: Int, now: UnixMilliseconds) {
        rows.came(count, now: now)
        if rows.rate(now) < Self.busy { restEnds = 0 }
    }

    public mutating func began() { sliceBegan = stopwatch() }

    /// The slice is committed.
    ///
    /// - Parameter now: when it began.
    public mutating func ended(now: UnixMilliseconds) {
        guard let began = sliceBegan else { return }
        sliceBegan = nil
        let rate = rows.rate(now)
        guard rate >= Self.busy else { return }
        let length = stopwatch() - began
        let rest = min(length * rate / Self.rowsARest + remainder, Self.longestRest)
        let milliseconds = UnixMilliseconds(rest / .milliseconds(1))
        remainder = rest - .milliseconds(milliseconds)
        restEnds = now + UnixMilliseconds(length / .milliseconds(1)) + milliseconds
    }
}
