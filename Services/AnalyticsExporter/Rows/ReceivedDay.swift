package import Models

/// UTC days by which raw rows are kept apart.
package enum ReceivedDay {
    package static let milliseconds: Int64 = 86_400_000

    /// Days since 1970-01-01 of a moment.
    package static func number(of time: UnixMilliseconds) -> Int64 {
        time >= 0 ? time / milliseconds : -((milliseconds - 1 - time) / milliseconds)
    }

    /// `2026-03-01`. Proleptic Gregorian calendar, by Hinnant's days-to-civil formula.
    package static func text(of number: Int64) -> String {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }

    /// Days since 1970-01-01 of `2026-03-01`; nil for anything else. Hinnant's days-from-civil formula.
    package static func number(named text: String) -> Int64? {
        guard isName(text) else { return nil }
        let parts = text.split(separator: "-").compactMap { Int64($0) }
        let month = parts[1], day = parts[2], year = parts[0] - (month <= 2 ? 1 : 0)
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Whether a name is that of a day: ten characters of digits and hyphens.
    package static func isName(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 10
            && text.utf8.enumerated().allSatisfy { place, byte in
                place == 4 || place == 7 ? byte == UInt8(ascii: "-") : (48...57).contains(byte)
            }
    }
}

/// UTC hours in which raw rows were received: whole hours since 1970-01-01.
package enum ReceivedHour {
    package static let milliseconds: Int64 = 3_600_000
    package static let ofDay: Int64 = 24

    /// The hour of a moment.
    package static func number(of time: UnixMilliseconds) -> Int64 {
        let day = ReceivedDay.number(of: time)
        return day * ofDay + (time - day * ReceivedDay.milliseconds) / milliseconds
    }

    /// The day of an hour, in days since 1970-01-01.
    package static func day(of hour: Int64) -> Int64 { ReceivedDay.number(of: hour * milliseconds) }

    /// The hours of a day.
    package static func hours(ofDay day: Int64) -> Range<Int64> { day * ofDay..<(day + 1) * ofDay }
}
