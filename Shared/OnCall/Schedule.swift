public import Models

/// Who of a tenant is to be called when: shifts that come again each week, and overrides that stand before them.
///
/// Pure: the same for the same instant, on every machine with the same database of zones. Shifts never overlap, so there is one
/// contact at most.
public struct Schedule: Sendable, Equatable {
    public struct Shift: Sendable, Hashable {
        public let hours: WeeklyHours
        public let contact: String
    }

    public struct Override: Sendable, Hashable {
        public let period: Range<UnixMilliseconds>
        public let contact: String
    }

    /// A stretch of time in which nothing changes.
    public struct Turn: Sendable, Hashable {
        public let period: Range<UnixMilliseconds>
        /// Nil for nobody.
        public let contact: String?

        public init(period: Range<UnixMilliseconds>, contact: String?) {
            self.period = period
            self.contact = contact
        }
    }

    public let id: String
    public let tenant: String
    public let zone: CivilZone
    public let shifts: [Shift]
    public let overrides: [Override]

    /// Who is on call; nil for nobody.
    public func contact(at time: UnixMilliseconds) -> String? {
        if let override = overrides.first(where: { $0.period.contains(time) }) { return override.contact }
        return shifts.first { $0.hours.span(around: time, in: zone) != nil }?.contact
    }

    /// Who is on call in a period: turns without a gap between them, no two of the same contact side by side.
    public func turns(in period: Range<UnixMilliseconds>) -> [Turn] {
        let spans = shifts.flatMap { shift in
            shift.hours.spans(in: period, in: zone).map { Turn(period: $0, contact: shift.contact) }
        }.sorted { $0.period.lowerBound < $1.period.lowerBound }
        let changes = (spans.map(\.period) + overrides.map(\.period)).flatMap { [$0.lowerBound, $0.upperBound] }
        let starts = Set(changes.filter(period.contains) + [period.lowerBound]).sorted()
        var turns: [Turn] = [], place = 0
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : period.upperBound
            while place < spans.count, spans[place].period.upperBound <= start { place += 1 }
            let usual = place < spans.count && spans[place].period.contains(start) ? spans[place].contact : nil
            let contact = overrides.first { $0.period.contains(start) }?.contact ?? usual
            if let last = turns.last, last.contact == contact {
                turns[turns.count - 1] = Turn(period: last.period.lowerBound..<end, contact: contact)
            } else {
                turns.append(Turn(period: start..<end, contact: contact))
            }
        }
        return turns
    }
}
