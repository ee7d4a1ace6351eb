package import Foundation

/// The days of a time zone: where they begin, and their names.
///
/// Day buckets are local days, which are not always 24 hours long. A calendar takes some microseconds to find one, and rows of
/// two days come mixed at every midnight, so that the last days are kept. Not thread-safe.
package struct LocalDays {
    private let calendar: Calendar
    /// The last day that was asked for; none at first.
    private var first: Int64 = 1
    private var end: Int64 = 0
    /// Those before it. Rows are of the last eight days.
    private var others: [(first: Int64, end: Int64)] = []
    private static let mostOthers = 15
    /// How often the calendar was asked for a day.
    private(set) var lookUps = 0

    package init(_ timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    /// The begin of the local day that holds a time; both in Unix seconds.
    package mutating func day(of second: Int64) -> Int64 {
        if second >= first && second < end { return first }
        if let place = others.firstIndex(where: { second >= $0.first && second < $0.end }) {
            let found = others[place]
            others[place] = (first, end)
            (first, end) = found
            return first
        }
        return lookUp(second)
    }

    private mutating func lookUp(_ second: Int64) -> Int64 {
        if first < end {
            if others.count == Self.mostOthers { others.removeFirst() }
            others.append((first, end))
        }
        lookUps += 1
        let begin = calendar.startOfDay(for: Date(timeIntervalSince1970: TimeInterval(second)))
        first = Int64(begin.timeIntervalSince1970)
        // Days have 22 to 26 hours: 36 hours after a begin is the middle of the next one.
        let next = calendar.startOfDay(for: begin.addingTimeInterval(36 * 3_600))
        end = Int64(next.timeIntervalSince1970)
        return first
    }

    /// Where a local day ends, in Unix seconds, by its begin.
    package mutating func end(of day: Int64) -> Int64 {
        _ = self.day(of: day)
        return end
    }

    /// `yyyy-mm-dd` of the local day that begins at a time.
    package func name(of day: Int64) -> String {
        let parts = calendar.dateComponents(
            [.year, .month, .day], from: Date(timeIntervalSince1970: TimeInterval(day)))
        func padded(_ number: Int?, _ width: Int) -> String {
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    }

    /// The begin of the local day of that name; nil if it is no day.
    package mutating func day(named name: String) -> Int64? {
        let parts = name.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, name.utf8.count == 10,
            let noon = calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12))
        else { return nil }
        let day = day(of: Int64(noon.timeIntervalSince1970))
        return self.name(of: day) == name ? day : nil
    }
}
