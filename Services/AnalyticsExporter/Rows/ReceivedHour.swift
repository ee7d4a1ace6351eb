internal import Models

/// UTC hours in which raw rows were received: whole hours since 1970-01-01.
enum ReceivedHour {
    static let milliseconds: Int64 = 3_600_000
    static let ofDay: Int64 = 24

    /// The hour of a moment.
    static func number(of time: UnixMilliseconds) -> Int64 {
        let day = ReceivedDay.number(of: time)
        return day * ofDay + (time - day * ReceivedDay.milliseconds) / milliseconds
    }

    /// The day of an hour, in days since 1970-01-01.
    static func day(of hour: Int64) -> Int64 { ReceivedDay.number(of: hour * milliseconds) }

    /// The hours of a day.
    static func hours(ofDay day: Int64) -> Range<Int64> { day * ofDay..<(day + 1) * ofDay }
}
