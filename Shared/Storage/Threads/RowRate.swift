public import Models

/// How many rows have come lately; a value of whoever counts them.
///
/// Rows count for the time since whoever counts last looked, a second at least: a thread that was kept from every core finds the
/// rows of several seconds at once, and many rows at once are not many a second.
public struct RowRate: Sendable {
    /// Rows a second from which on two cores may be full of them.
    public static let many = 30_000
    private static let second: UnixMilliseconds = 1_000
    /// When the rows that are being counted began; 0 before the first.
    private var began: UnixMilliseconds = 0
    private var rows = 0
    /// Rows a second before that, and before those if they are not older than two seconds.
    private var before = 0
    private var earlier = 0
    private var ended: UnixMilliseconds = 0

    public init() {}

    /// So many rows have come, or none. The clock may be set; then counting begins anew.
    public mutating func came(_ count: Int, now: UnixMilliseconds) {
        if now < began { self = RowRate() }
        guard began > 0 else {
            (began, ended, before) = (now, now, count)
            return
        }
        rows += count
        let length = now - began
        guard length >= Self.second else { return }
        earlier = length < 2 * Self.second ? before : 0
        before = rows * Int(Self.second) / Int(length)
        (began, ended, rows) = (now, now, 0)
    }

    /// Rows a second; 0 when nobody has counted for two.
    public func rate(_ now: UnixMilliseconds) -> Int { now < end ? max(rows, before, earlier) : 0 }

    /// When no rows will count any more, if nobody counts again.
    public var end: UnixMilliseconds { ended + 2 * Self.second }
}
