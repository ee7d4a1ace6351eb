public import Models

/// How many rows come a second: those of this second or of the one before, whichever are more. Pure.
public struct RowRate: Sendable {
    /// Rows a second from which on two cores may be full of them.
    public static let many = 30_000
    private static let second: UnixMilliseconds = 1_000
    private var secondBegan: UnixMilliseconds = 0
    private var rows = 0
    private var rowsBefore = 0

    public init() {}

    /// So many rows have come. The clock may be set; then counting begins anew.
    public mutating func came(_ count: Int, now: UnixMilliseconds) {
        if now < secondBegan || now >= secondBegan + Self.second {
            rowsBefore = now >= secondBegan && now < secondBegan + 2 * Self.second ? rows : 0
            (secondBegan, rows) = (now, 0)
        }
        rows += count
    }

    /// Rows a second; 0 when none have come for two.
    public func rate(_ now: UnixMilliseconds) -> Int { now < end ? max(rows, rowsBefore) : 0 }

    /// When no rows will count any more, if none come.
    public var end: UnixMilliseconds { secondBegan + 2 * Self.second }
}
