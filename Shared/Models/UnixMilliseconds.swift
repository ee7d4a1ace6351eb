/// Time as the whole pipeline keeps it: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public typealias UnixMilliseconds = Int64

/// How far from now a record may have been captured, after correction of the phone's clock.
public enum AcceptanceHorizon {
    /// 8 days.
    public static let back: UnixMilliseconds = 8 * 86_400_000
    /// 5 minutes.
    public static let ahead: UnixMilliseconds = 5 * 60_000
}
