internal import Foundation
public import Models

/// A zone of the IANA database: what clocks show there at an instant, and when they first show a time.
public struct CivilZone: Sendable, Hashable {
    public let name: String
    private let zone: TimeZone

    /// What may stand where a zone is named.
    public static let allowed = "a zone of the IANA database, as Africa/Douala, or UTC"

    /// Nil if there is no such zone. Offsets (`GMT+1`) are none: they know no summer.
    public init?(name: String) {
        guard name == "UTC" || name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
        self.name = name
        self.zone = zone
    }

    /// What clocks show.
    public struct Reading: Sendable, Hashable {
        /// Days since 1970-01-01, which was a Thursday.
        public let day: Int64
        public let minute: Int

        public init(day: Int64, minute: Int) {
            self.day = day
            self.minute = minute
        }

        /// 1 Monday … 7 Sunday.
        public var weekday: Int { CivilZone.weekday(ofDay: day) }
    }

    public func reading(at time: UnixMilliseconds) -> Reading {
        let minutes = Self.floor(time + offset(at: time), 60_000), day = Self.floor(minutes, 1_440)
        return Reading(day: day, minute: Int(minutes - day * 1_440))
    }

    /// The first instant at which clocks show this minute or a later one.
    ///
    /// It never falls as the minute rises. So of two spans of which one ends at the minute at which the other begins, one ends at the
    /// instant at which the other begins, whatever clocks do that day. A minute that clocks skip is the instant of the change, one that
    /// they show twice is the first of the two.
    ///
    /// Takes for granted that a zone changes its offset once in four days at most.
    public func instant(day: Int64, minute: Int) -> UnixMilliseconds {
        let shown = day * 86_400_000 + Int64(minute) * 60_000
        let before = offset(at: shown - 2 * 86_400_000), after = offset(at: shown + 2 * 86_400_000)
        let early = shown - before, late = shown - after
        if offset(at: early) == before { return early }
        if offset(at: late) == after { return late }
        // Clocks skip it: the change lies between.
        var (low, high) = (late, early)
        while low < high {
            let middle = low + (high - low) / 2
            if offset(at: middle) == after { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Milliseconds that clocks are ahead of UTC.
    private func offset(at time: UnixMilliseconds) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1_000))) * 1_000
    }

    static func weekday(ofDay day: Int64) -> Int { Int(((day + 3) % 7 + 7) % 7) + 1 }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
