public import Models

/// Hours of a local day, on days of the week.
public struct WeeklyHours: Sendable, Hashable {
    /// 1 Monday … 7 Sunday; the day on which the hours begin.
    public let days: Set<Int>
    /// Minutes of the local day, from the first to before the last; over midnight where the last is the earlier.
    public let from, to: Int

    public init(days: Set<Int>, from: Int, to: Int) {
        self.days = days
        self.from = from
        self.to = to
    }

    /// How long it lasts on clocks, minutes.
    private var length: Int { to > from ? to - from : to + 1_440 - from }

    /// When it lasts on a local day; nil if not at all, because clocks skip it or it is another day of the week.
    func span(onDay day: Int64, in zone: CivilZone) -> Range<UnixMilliseconds>? {
        guard days.contains(CivilZone.weekday(ofDay: day)) else { return nil }
        let begin = zone.instant(day: day, minute: from)
        let end = to > from ? zone.instant(day: day, minute: to) : zone.instant(day: day + 1, minute: to)
        return begin < end ? begin..<end : nil
    }

    /// When it lasts around an instant; nil if it does not then.
    public func span(around time: UnixMilliseconds, in zone: CivilZone) -> Range<UnixMilliseconds>? {
        let today = zone.reading(at: time).day
        return (today - 2...today + 1).lazy.compactMap { span(onDay: $0, in: zone) }.first { $0.contains(time) }
    }

    /// Every time that it lasts in a period, also in part, in order.
    public func spans(in period: Range<UnixMilliseconds>, in zone: CivilZone) -> [Range<UnixMilliseconds>] {
        let first = zone.reading(at: period.lowerBound).day - 2, last = zone.reading(at: period.upperBound).day + 1
        return (first...last).compactMap { span(onDay: $0, in: zone) }.filter { $0.overlaps(period) }
    }

    /// Whether both last at any minute of the local week.
    func overlaps(_ other: WeeklyHours) -> Bool {
        days.contains { day in
            other.days.contains { otherDay in
                // Around the end of the week, too.
                let apart = ((otherDay - day) * 1_440 + other.from - from + 10_080) % 10_080
                return apart < length || 10_080 - apart < other.length
            }
        }
    }
}
