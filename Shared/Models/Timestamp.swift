/// Points in time as RFC 3339 text, by integers alone.
///
/// Formulas: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days` and `days_from_civil`.
public enum Timestamp {
    /// In UTC with milliseconds.
    public static func text(_ time: UnixMilliseconds) -> String {
        let (days, rest) = time.flooredDivision(by: 86_400_000)
        let (year, month, day) = civil(days)
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }.joined(
            separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock).\(padded(rest % 1000, 3))Z"
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Unix milliseconds of RFC 3339 text (`2026-03-01T10:00:00.250+01:00`); nil if it is none. A second 60 is that of a leap second, at
    /// the end of a day of UTC, and counts as the next day's first. Years 0 to 9999. Digits after the millisecond are dropped.
    public static func milliseconds(_ text: String) -> UnixMilliseconds? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == 45, bytes[7] == 45, bytes[13] == 58, bytes[16] == 58,
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t") || bytes[10] == 32,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            second <= 60, let whole = milliseconds(year, month, day, hour, minute, min(second, 59))
        else { return nil }
        let local = whole + max(0, second - 59) * 1_000
        var rest = bytes[19...], fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (48...57).contains($0) }
            guard !digits.isEmpty else { return nil }
            fraction = digits.prefix(3).reduce(0) { $0 * 10 + Int64($1 - 48) }
            for _ in min(digits.count, 3)..<3 { fraction *= 10 }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offset(rest), second < 60 || (local - offset) % 86_400_000 == 0 else { return nil }
        return local + fraction - offset
    }

    /// Unix milliseconds of a date and time of the Gregorian calendar in UTC; nil if there is no such time.
    public static func milliseconds(
        _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64
    ) -> UnixMilliseconds? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...lengths[Int(month) - 1]).contains(day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        // Days since 1970-01-01 of the civil calendar, years counted from March (Hinnant, `days_from_civil`).
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.flooredDivision(by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return (days * 86_400 + hour * 3_600 + minute * 60 + second) * 1_000
    }

    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        if bytes.count == 1, bytes.first == UInt8(ascii: "Z") || bytes.first == UInt8(ascii: "z") { return 0 }
        let first = bytes.startIndex
        guard bytes.count == 6, bytes[first + 3] == 58, let hours = number(bytes[(first + 1)..<(first + 3)]),
            let minutes = number(bytes[(first + 4)...]), hours < 24, minutes < 60
        else { return nil }
        switch bytes[first] {
        case UInt8(ascii: "+"): return (hours * 60 + minutes) * 60_000
        case UInt8(ascii: "-"): return -(hours * 60 + minutes) * 60_000
        default: return nil
        }
    }

    /// Of ASCII digits, at most 17; nil if there are others or none.
    public static func number(_ digits: some Collection<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.count < 18, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
