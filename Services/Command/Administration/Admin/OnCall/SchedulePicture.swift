import Models
import OnCall

/// Who is on call, as a table and as a picture: a line a day, a letter half an hour, in the schedule's zone.
///
///                    00      04      08      12      16      20
///     Mon 2026-11-30 bbbbbbbbbbbbbbbbaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbb
struct SchedulePicture {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    let turns: [Schedule.Turn]
    let zone: CivilZone

    var text: String {
        guard let first = turns.first, let last = turns.last else { return "nobody is on call" }
        let now = first.contact.map { "\($0) is on call" } ?? "nobody is on call"
        let until = first == last ? "" : " until \(shown(first.period.upperBound))"
        let days = zone.reading(at: first.period.lowerBound).day...zone.reading(at: last.period.upperBound - 1).day
        let gaps = turns.filter { $0.contact == nil }.map {
            "nobody from \(shown($0.period.lowerBound)) to \(shown($0.period.upperBound))"
        }
        let legend = letters.sorted { $0.value < $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: "   ")
        let lines =
            [
                now + until + " (\(zone.name))", "",
                String(repeating: " ", count: 15) + "00      04      08      12      16      20",
            ] + days.map(line) + ["", legend] + gaps
        return lines.joined(separator: "\n")
    }

    private func line(_ day: Int64) -> String {
        let halves = (0..<48).map { half -> Character in
            let time = zone.instant(day: day, minute: half * 30)
            guard let turn = turns.first(where: { $0.period.contains(time) }) else { return " " }
            return turn.contact.flatMap { letters[$0] } ?? "."
        }
        let weekday = Self.weekdays[CivilZone.Reading(day: day, minute: 0).weekday - 1]
        return "\(weekday) \(Timestamp.text(day * 86_400_000).prefix(10)) " + String(halves)
    }

    /// The first letter of a name that nobody before has, or the next of the alphabet.
    private var letters: [String: Character] {
        var letters: [String: Character] = [:]
        for name in Set(turns.compactMap(\.contact)).sorted() {
            let candidates =
                name.lowercased().filter { $0.isASCII && $0.isLetter } + "abcdefghijklmnopqrstuvwxyz0123456789"
            letters[name] = candidates.first { !letters.values.contains($0) } ?? "?"
        }
        return letters
    }

    private func shown(_ time: UnixMilliseconds) -> String {
        let reading = zone.reading(at: time)
        let text = Timestamp.text(reading.day * 86_400_000 + Int64(reading.minute) * 60_000)
        return String(text.prefix(16)).replacing("T", with: " ")
    }
}
