import Models
import ServiceKit

/// Looks whether the clock can be right.
struct DoctorClock {
    /// 2025-01-01T00:00:00Z: no record of Nkul is older.
    static let earliest: UnixMilliseconds = 1_735_689_600_000

    /// - Parameter newest: when the newest block of the home was committed; nil if there is none.
    static func finding(now: UnixMilliseconds, newest: UnixMilliseconds?) -> DoctorFinding {
        let text = SystemTime.text(now)
        guard now >= earliest else { return .problem("clock", "\(text) cannot be right; set the system's clock.") }
        guard let newest, newest > now + 1_000 else { return .sound("clock", "\(text).") }
        return .problem(
            "clock",
            "\(text), but the newest block was committed at \(SystemTime.text(newest)): the clock has gone back"
                + " \((newest - now) / 1_000) s; times and retention go wrong until it is past that. Have it kept by NTP."
        )
    }
}
