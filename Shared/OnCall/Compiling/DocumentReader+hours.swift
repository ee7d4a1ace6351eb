internal import ServiceKit

extension DocumentReader {
    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    mutating func zone() -> CivilZone? { text("zone", allowed: CivilZone.allowed) { CivilZone(name: $0) } }

    /// `days`, `from`, `to`; nil, and noted, if they are none.
    mutating func hours() -> WeeklyHours? {
        let days = list("days", most: 7, of: "one of " + Self.weekdays.joined(separator: ", ")) { name in
            Self.weekdays.firstIndex(of: name).map { $0 + 1 }
        }
        if !has("days") { refuse("days", "is missing", allowed: "an array of 1…7: mon … sun") }
        if Set(days).count < days.count { refuse("days", "names a day twice", allowed: "each day once") }
        let clock = "hours and minutes, 00:00…23:59"
        let from = text("from", allowed: clock) { Self.minute($0, upTo: 1_439) }
        let to = text("to", allowed: "hours and minutes, 00:00…24:00") { Self.minute($0, upTo: 1_440) }
        guard let from, let to, !days.isEmpty else { return nil }
        guard from != to else {
            refuse("to", "is the same as from", allowed: "another time; 24:00 is the end of the day")
            return nil
        }
        return WeeklyHours(days: Set(days), from: from, to: to)
    }

    /// The minute of the day of `HH:MM`.
    private static func minute(_ text: String, upTo last: Int) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == 58, let hour = Int(text.prefix(2)), let minute = Int(text.suffix(2)),
            (bytes[0...1] + bytes[3...4]).allSatisfy({ (48...57).contains($0) }), minute < 60,
            hour * 60 + minute <= last
        else { return nil }
        return hour * 60 + minute
    }

    /// `from` and `to`, two instants so far apart at most; nil, and noted, if they are none.
    mutating func period(mostDays: Int64) -> Range<Int64>? {
        let from = instant("from"), to = instant("to")
        guard let from, let to else { return nil }
        guard (60_000...mostDays * 86_400_000).contains(to - from) else {
            refuse(
                "to", to <= from ? "is not after from" : "is \((to - from) / 60_000) minutes after from",
                allowed: "a time from a minute to \(mostDays) days after from")
            return nil
        }
        return from..<to
    }

    mutating func tenant() -> String? { name("tenant", allowed: "the name of a tenant, or regulator") }

    mutating func contact() -> String? { name("contact", allowed: "the name of a contact") }

    mutating func name(_ member: String, mayBeMissing: Bool = false, allowed: String) -> String? {
        text(member, mayBeMissing: mayBeMissing, allowed: allowed) { Self.name($0) }
    }

    /// A text as names of tenants, contacts and documents are; nil if it is none.
    static func name(_ text: String) -> String? {
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "/" }
        return isPlain && (1...64).contains(text.count) && text.utf8.count <= 128 ? text : nil
    }
}
