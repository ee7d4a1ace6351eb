public import Foundation

/// Days of a time zone, counted from 1 January 1970.
public enum CivilDay {
    /// The day in which a time falls, for people of a time zone.
    public static func number(of time: UnixMilliseconds, in zone: TimeZone) -> Int64 {
        let date = Date(timeIntervalSince1970: Double(time) / 1_000)
        let local = time + Int64(zone.secondsFromGMT(for: date)) * 1_000
        return (local - (local % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
    }
}
