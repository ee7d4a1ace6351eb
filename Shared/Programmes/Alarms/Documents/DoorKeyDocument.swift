public import AlarmRules
public import Models

/// Which contact may open a door, and in which hours of the week.
public struct DoorKeyDocument: Codable, Sendable, Equatable {
    static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    /// Hours that a key may have.
    static let mostHours = 32

    /// Hours of some days of the week.
    public struct Hours: Codable, Sendable, Equatable {
        public var days: [String]
        /// `08:00`; the hours end before `to`, on the next day where that is not later.
        public var from, to: String
    }

    public var id: String
    public var door: Int64
    public var tenant: String
    public var contact: String
    public var schedule: [Hours]

    /// Compiles a document: the one way in which exporter and router read it.
    ///
    /// - Throws: ``DocumentRefusal`` with everything that is wrong.
    public init(compiling document: [UInt8], id: String) throws(DocumentRefusal) {
        var reader = RuleReader(try RuleDocument(bytes: document).members)
        if let named = reader.optional("id"), named != .string(id) {
            reader.refuse("id", "is \(named.text)", allowed: "\"\(id)\", or nothing")
        }
        let door = reader.whole("door", in: RuleReader.siteNumbers)
        let tenant = reader.text("tenant"), contact = reader.text("contact")
        let hours = Self.hours(&reader)
        try reader.finishAll()
        self.id = id
        self.door = Int64(door!)
        self.tenant = tenant!
        self.contact = contact!
        schedule = hours.map(Hours.init)
    }

    /// Whether it opens at a moment.
    ///
    /// - Parameter zone: of the door's site.
    public func opens(at now: UnixMilliseconds, in zone: LocalZone) -> Bool {
        var cache = ZoneCache()
        let minute = zone.minuteOfWeek(Int32(clamping: now / 60_000), &cache)
        return schedule.contains { $0.local?.contains(minuteOfWeek: minute) ?? false }
    }

    private static func hours(_ reader: inout RuleReader) -> [LocalHours] {
        let allowed = "1…\(mostHours) objects of days, from and to"
        guard reader.has("schedule") else {
            _ = reader.value("schedule", allowed: allowed)
            return []
        }
        let values = reader.list("schedule", of: "objects of days, from and to") ?? []
        if values.count > mostHours { reader.refuse("schedule", "has \(values.count)", allowed: allowed) }
        return values.enumerated().compactMap { index, value in
            let place = "schedule[\(index)]"
            guard case .object(let members) = value else {
                reader.refuse(place, "is \(value.text)", allowed: "an object of days, from and to")
                return nil
            }
            var inner = RuleReader(members, within: place + ".")
            defer { reader.take(inner) }
            return LocalHours.read(&inner)
        }
    }
}

extension DoorKeyDocument.Hours {
    init(_ hours: LocalHours) {
        self.init(
            days: hours.days.sorted().map { DoorKeyDocument.days[$0 - 1] }, from: Self.text(hours.from),
            to: Self.text(hours.to))
    }

    /// Nil if it was not made by compiling.
    var local: LocalHours? {
        guard let from = Self.minute(from), let to = Self.minute(to) else { return nil }
        let numbers = days.compactMap { DoorKeyDocument.days.firstIndex(of: $0) }.map { $0 + 1 }
        return LocalHours(from: from, to: to, days: Set(numbers))
    }

    private static func text(_ minute: Int) -> String {
        let (hours, minutes) = (minute / 60, minute % 60)
        return (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
    }

    private static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        return parts.count == 2 ? parts[0] * 60 + parts[1] : nil
    }
}
