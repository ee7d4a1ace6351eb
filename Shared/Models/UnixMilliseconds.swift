public import Foundation

/// Time as the whole pipeline keeps it: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public typealias UnixMilliseconds = Int64

/// How far from now a record may have been captured, after correction of the phone's clock.
public enum AcceptanceHorizon {
    /// 8 days.
    public static let back: UnixMilliseconds = 8 * 86_400_000
    /// 5 minutes.
    public static let ahead: UnixMilliseconds = 5 * 60_000
}

/// Days of a time zone, counted from 1 January 1970.
public enum CivilDay {
    /// The day in which a time falls, for people of a time zone.
    public static func number(of time: UnixMilliseconds, in zone: TimeZone) -> Int64 {
        let date = Date(timeIntervalSince1970: Double(time) / 1_000)
        let local = time + Int64(zone.secondsFromGMT(for: date)) * 1_000
        return (local - (local % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
    }

    /// A day as documents have it: `2026-03-01`.
    public static func text(_ day: Int64) -> String { String(Timestamp.text(day * 86_400_000).prefix(10)) }
}
