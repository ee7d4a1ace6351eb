internal import Foundation

/// Hours of the day, on days of the week, in a time zone.
public struct LocalHours: Sendable, Hashable {
    /// Minutes of the local day, from the first to before the last; over midnight where the first is the later.
    public let from, to: Int
    /// 1 Monday … 7 Sunday; the day on which the hours begin.
    public let days: Set<Int>

    package init(from: Int, to: Int, days: Set<Int>) {
        self.from = from
        self.to = to
        self.days = days
    }

    /// Whether a minute of the local week, 0 on Monday at 00:00, is one of them.
    package func contains(minuteOfWeek: Int) -> Bool {
        let minute = minuteOfWeek % 1_440, day = minuteOfWeek / 1_440 + 1
        if from < to { return (from..<to).contains(minute) && days.contains(day) }
        return minute >= from ? days.contains(day) : minute < to && days.contains(day == 1 ? 7 : day - 1)
    }
}

/// A zone of the IANA database: what a minute is there.
public struct LocalZone: Sendable, Hashable {
    public let name: String
    private let zone: TimeZone

    /// Nil if there is no such zone. Offsets (`GMT+1`) are none: they know no summer.
    public init?(name: String) {
        guard name == "UTC" || name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
        self.name = name
        self.zone = zone
    }

    package static let utc = LocalZone(name: "UTC")!

    /// The minute of the local week, 0 on Monday at 00:00, of a minute since 1970.
    package func minuteOfWeek(_ minute: Int32, _ cache: inout ZoneCache) -> Int {
        let quarter = minute / 15
        if cache.quarter != quarter {
            cache.quarter = quarter
            cache.offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(quarter) * 900)) / 60
        }
        // 1970-01-01 was a Thursday.
        return ((Int(minute) + cache.offset + 3 * 1_440) % 10_080 + 10_080) % 10_080
    }
}

/// The offset of a zone in the quarter of an hour that was last asked for; zones change at quarters.
package struct ZoneCache: Sendable {
    var quarter = Int32.min
    var offset = 0

    package init() {}
}
