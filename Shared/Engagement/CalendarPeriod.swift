/// A stretch of local days over which something is counted.
public enum CalendarPeriod: String, Sendable, Codable, CaseIterable {
    case day
    /// From Monday on.
    case week
    /// Of the Gregorian calendar.
    case month

    /// The days of the period in which a day lies, days since 1970.
    public func days(around day: Int64) -> Range<Int64> {
        switch self {
        case .day: return day..<day + 1
        case .week:
            // 1970-01-01 was a Thursday.
            let monday = day - Self.remainder(day + 3, 7)
            return monday..<monday + 7
        case .month:
            let (year, month) = Self.month(of: day)
            return Self.day(year, month)..<Self.day(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1)
        }
    }

    /// Year and month of a day. Howard Hinnant, "chrono-compatible low-level date algorithms".
    private static func month(of day: Int64) -> (year: Int64, month: Int64) {
        let shifted = day + 719_468, era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * ofYear + 2) / 153, month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month)
    }

    /// The first day of a month. The same source.
    private static func day(_ year: Int64, _ month: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year, era = (year >= 0 ? year : year - 399) / 400
        let ofEra = year - era * 400, ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func remainder(_ number: Int64, _ divisor: Int64) -> Int64 {
        let rest = number % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
