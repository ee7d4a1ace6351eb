import Models

/// Days and hours as people in Cameroon have them: UTC + 1 h, all year.
enum LocalDay {
    static let length: UnixMilliseconds = 86_400_000
    static let hour: UnixMilliseconds = 3_600_000

    /// Days since 1970-01-01, local.
    static func number(_ time: UnixMilliseconds) -> Int64 {
        let local = time + hour
        return local >= 0 ? local / length : (local - length + 1) / length
    }

    /// Local midnight at which a day begins.
    static func start(_ number: Int64) -> UnixMilliseconds { number * length - hour }

    /// 0 ..< 24, with its fraction.
    static func hour(of time: UnixMilliseconds) -> Double { Double(time - start(number(time))) / Double(hour) }

    /// Saturday or Sunday (1970-01-01 was a Thursday).
    static func isWeekend(_ number: Int64) -> Bool { [2, 3].contains((number % 7 + 7) % 7) }
}
