internal import ExporterRows
package import Foundation
package import Models

/// A month of the Gregorian calendar, by its number: twelve times the year, and the months of it that are over.
package struct CivilMonth: Hashable, Sendable, Comparable {
    package let number: Int64

    package init(number: Int64) { self.number = number }

    /// The month of a day.
    ///
    /// - Parameter day: days since 1970-01-01.
    package init(ofDay day: Int64) {
        let parts = ReceivedDay.text(of: day).split(separator: "-").compactMap { Int64($0) }
        number = parts[0] * 12 + parts[1] - 1
    }

    /// Its days, since 1970-01-01.
    package var days: Range<Int64> { first..<CivilMonth(number: number + 1).first }

    /// Where its days begin, and where the last one ends, Unix seconds.
    package func begins(in zone: TimeZone) -> [Int64] {
        (days.lowerBound...days.upperBound).map { LocalDay.begin(of: $0, in: zone) / 1_000 }
    }

    private var first: Int64 {
        let year = number / 12, month = number % 12 + 1
        let text = String(repeating: "0", count: 4 - String(year).count) + "\(year)"
        return ReceivedDay.number(named: "\(text)-\(month < 10 ? "0" : "")\(month)-01") ?? 0
    }

    package static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}

/// The days of a time zone.
package enum LocalDay {
    /// Where a day begins, Unix milliseconds.
    ///
    /// - Parameter day: days since 1970-01-01, by its date.
    package static func begin(of day: Int64, in zone: TimeZone) -> UnixMilliseconds {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let noon = TimeInterval(day * 86_400 + 43_200)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: noon))
        let begin = calendar.startOfDay(for: Date(timeIntervalSince1970: noon - TimeInterval(offset)))
        return UnixMilliseconds(begin.timeIntervalSince1970) * 1_000
    }
}
