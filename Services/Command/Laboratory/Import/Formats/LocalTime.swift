import CommandSupport
import Foundation
import Models

/// Times as files have them, with a zone or without one, to Unix milliseconds.
///
/// An hour that clocks repeat in autumn has each of its times twice. The earlier one is meant unless that is more than a minute
/// before the row above: then the clock has been set back in between. In the hour that clocks leave out in spring the offset
/// before it holds.
struct LocalTime {
    private static let day: UnixMilliseconds = 86_400_000
    /// How far a phone's clock goes back within one log without having been set back an hour.
    private static let patience: UnixMilliseconds = 60_000

    let zone: TimeZone
    /// Whether rows stand in the order of time.
    let isOrdered: Bool
    private var last: UnixMilliseconds?

    init(zone: TimeZone, isOrdered: Bool = true) {
        self.zone = zone
        self.isOrdered = isOrdered
    }

    /// Reads RFC 3339, also with an offset such as `+0100`, and times without a zone (`2020.02.13_13.03.24`,
    /// `2026-11-27 10:00:00.250`, `13/02/2020 13:03`); notes what it had to suppose.
    mutating func milliseconds(_ text: String, _ ledger: inout ImportLedger) -> UnixMilliseconds? {
        if let time = Timestamp.milliseconds(Self.withColon(text)) { return remembered(time) }
        guard let wall = Self.wall(text) else { return nil }
        ledger.note(.zonelessTime, text)
        let meant = candidates(wall)
        if meant.count > 1 { ledger.note(.repeatedHour, text) }
        guard isOrdered, let last else { return remembered(meant[0]) }
        return remembered(meant.first { $0 >= last - Self.patience } ?? meant[0])
    }

    private mutating func remembered(_ time: UnixMilliseconds) -> UnixMilliseconds {
        last = time
        return time
    }

    /// All points in time at which clocks of the zone show a time, ascending; the one of the offset before a gap in a gap.
    private func candidates(_ wall: UnixMilliseconds) -> [UnixMilliseconds] {
        let before = wall - offset(wall - Self.day), after = wall - offset(wall + Self.day)
        let shown = Set([before, after]).filter { $0 + offset($0) == wall }.sorted()
        return shown.isEmpty ? [before] : shown
    }

    private func offset(_ time: UnixMilliseconds) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1_000))) * 1_000
    }

    /// `+0100` and `+01` behind a time as `+01:00`.
    private static func withColon(_ text: String) -> String {
        guard let colon = text.lastIndex(of: ":"), let sign = text[colon...].lastIndex(where: { "+-".contains($0) })
        else { return text }
        let digits = text[text.index(after: sign)...]
        guard digits.count == 2 || digits.count == 4, digits.allSatisfy(\.isNumber) else { return text }
        return text[...sign] + digits.prefix(2) + ":" + (digits.count == 4 ? digits.suffix(2) : "00")
    }

    /// A date and time as if it were UTC.
    private static func wall(_ text: String) -> UnixMilliseconds? {
        let parts = text.split { ". _/:-T,".contains($0) }
        let numbers = parts.compactMap { Timestamp.number($0.utf8) }
        guard numbers.count == parts.count, (5...7).contains(parts.count) else { return nil }
        let isYearFirst = parts[0].count == 4
        guard isYearFirst || parts[2].count == 4 else { return nil }
        let second = numbers.count > 5 ? numbers[5] : 0
        let fraction = numbers.count > 6 ? Int64("\(parts[6])00".prefix(3)) ?? 0 : 0
        return Timestamp.milliseconds(
            isYearFirst ? numbers[0] : numbers[2], numbers[1], isYearFirst ? numbers[2] : numbers[0], numbers[3],
            numbers[4], second
        ).map { $0 + fraction }
    }
}
