public import Foundation
public import Models

/// Once a day, at a local time. Pure.
public struct RetentionSchedule: Sendable, Equatable {
    public let hour: Int
    public let minute: Int
    public let zone: TimeZone

    public init(hour: Int, minute: Int, zone: TimeZone) {
        self.hour = hour
        self.minute = minute
        self.zone = zone
    }

    /// The first time of day that comes after a moment. Where clocks are put forward over it, the moment after the gap.
    public func next(after time: UnixMilliseconds) -> UnixMilliseconds {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: Double(time) / 1_000)
        let next = calendar.nextDate(
            after: date, matching: DateComponents(hour: hour, minute: minute, second: 0), matchingPolicy: .nextTime)
        return next.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
            ?? time + RetentionOrderDocument.dayMilliseconds
    }

    /// `03:30`.
    var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(hour)):\(two(minute))"
    }
}
