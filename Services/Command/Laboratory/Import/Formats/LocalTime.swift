import CommandSupport
import Foundation
import Models

/// Local times without a zone to Unix milliseconds.
enum LocalTime {
    /// Reads `2020.02.13_13.03.24` and `13/02/2020 13:03` in a zone; nil if it is neither.
    ///
    /// Where clocks were set back the earlier of the two times is meant, where they were set forward the later offset holds.
    static func milliseconds(_ text: String, in zone: TimeZone) -> UnixMilliseconds? {
        let parts = text.split { ". _/:".contains($0) }
        let numbers = parts.compactMap { InstantText.number($0.utf8) }
        guard numbers.count == parts.count, parts.count == 5 || parts.count == 6 else { return nil }
        let isYearFirst = parts[0].count == 4
        guard isYearFirst || parts[2].count == 4 else { return nil }
        let second = numbers.count == 6 ? numbers[5] : 0
        guard
            let wall = InstantText.milliseconds(
                isYearFirst ? numbers[0] : numbers[2], numbers[1], isYearFirst ? numbers[2] : numbers[0], numbers[3],
                numbers[4],
                second)
        else { return nil }
        let guess = wall - offset(wall, zone)
        return wall - offset(guess, zone)
    }

    private static func offset(_ time: UnixMilliseconds, _ zone: TimeZone) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1_000))) * 1_000
    }
}
