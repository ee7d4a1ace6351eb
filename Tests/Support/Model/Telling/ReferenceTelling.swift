/// What channels must be told of alarms: told what stands on the lanes in the order in which the notifier heard it.
public struct ReferenceTelling: Sendable {
    public struct Channel: Sendable, Equatable {
        public let id: String
        public let tenant: String
        /// Whose it is, of a channel of one person.
        public let contact: String?
        /// Whether it is told of all alarms; else only of what is offered to its contact.
        public let tellsAll: Bool
        /// Whether it is told again and again what fires, instead of what happens.
        public let firesOn: Bool

        public init(id: String, tenant: String, contact: String?, tellsAll: Bool, firesOn: Bool) {
            (self.id, self.tenant, self.contact) = (id, tenant, contact)
            (self.tellsAll, self.firesOn) = (tellsAll, firesOn)
        }
    }

    /// An alarm as the lane tells it.
    public struct Alarm: Sendable {
        public let id: String
        public let severity: String
        public let isOver: Bool
        /// Another alarm speaks for it.
        public let isSpokenFor: Bool
        /// Texts of its networks, the owner's and serving ones.
        public let networks: Set<String>

        public init(id: String, severity: String, isOver: Bool, isSpokenFor: Bool, networks: Set<String>) {
            (self.id, self.severity, self.isOver) = (id, severity, isOver)
            (self.isSpokenFor, self.networks) = (isSpokenFor, networks)
        }
    }

    /// What a tenant's contacts have made of an alarm.
    public struct Care: Sendable {
        public let isAcknowledged, isShelved: Bool
        public let reminders: Int
        public let offer: Offer?

        public struct Offer: Sendable {
            public let to: String
            public let at: Int

            public init(to: String, at: Int) { (self.to, self.at) = (to, at) }
        }

        public init(isAcknowledged: Bool, isShelved: Bool, reminders: Int, offer: Offer?) {
            (self.isAcknowledged, self.isShelved) = (isAcknowledged, isShelved)
            (self.reminders, self.offer) = (reminders, offer)
        }

        static let none = Care(isAcknowledged: false, isShelved: false, reminders: 0, offer: nil)
    }

    /// What came in one transaction; nil is what is gone.
    public struct Batch: Sendable {
        public var tenants: [(name: String, tenant: ReferenceTenant?)] = []
        public var channels: [(id: String, channel: Channel?)] = []
        public var alarms: [(id: String, alarm: Alarm?)] = []
        public var cares: [(alarm: String, tenant: String, care: Care?)] = []

        public init() {}
    }

    /// What a channel was told of an alarm that goes on.
    private struct Told {
        var severity: String
        var changes = 0, reminders = 0, offer = 0
    }

    private struct Pair: Hashable {
        let one, other: String
    }

    private static let severities = ["cleared", "indeterminate", "warning", "minor", "major", "critical"]

    private var tenants: [String: ReferenceTenant]
    private var channels: [String: Channel] = [:]
    private var alarms: [String: Alarm] = [:]
    /// By alarm and tenant.
    private var cares: [Pair: Care] = [:]
    /// By channel and alarm.
    private var told: [Pair: Told] = [:]
    private var said: [String: [String: [String]]] = [:]

    public init() {
        tenants = ["regulator": ReferenceTenant(name: "regulator", networks: [], isRegulator: true)]
    }

    /// Channels that can be used: they are there, and so is their tenant.
    public var usable: [Channel] { channels.values.filter { tenants[$0.tenant] != nil }.sorted { $0.id < $1.id } }

    /// All that a channel must have been told of each alarm, in order.
    public func transitions(of channel: String) -> [String: [String]] { said[channel] ?? [:] }

    /// The severity of each alarm that fires at a channel.
    public func firing(at channel: String) -> [String: String] {
        var firing: [String: String] = [:]
        for (pair, told) in told where pair.one == channel { firing[pair.other] = told.severity }
        return firing
    }

    /// A transaction is heard of.
    public mutating func hear(_ batch: Batch) {
        for (name, tenant) in batch.tenants { tenants[name] = tenant }
        var changed = Set(batch.channels.filter { channels[$0.id] != $0.channel }.map(\.id))
        for (id, channel) in batch.channels {
            channels[id] = channel
            if channel == nil { for pair in told.keys where pair.one == id { told[pair] = nil } }
        }
        if !batch.tenants.isEmpty { changed = Set(channels.keys) }
        for (id, alarm) in batch.alarms where alarm == nil {
            alarms[id] = nil
            for pair in told.keys where pair.other == id { told[pair] = nil }
        }
        hearOfCares(batch)
        for case let (_, alarm?) in batch.alarms {
            alarms[alarm.id] = alarm.isOver ? nil : alarm
            for channel in usable { tell(alarm, cares[Pair(one: alarm.id, other: channel.tenant)] ?? .none, channel) }
        }
        // Channels that are new are told of what goes on.
        for alarm in alarms.values.sorted(by: { $0.id < $1.id }) {
            for channel in usable where changed.contains(channel.id) {
                tell(alarm, cares[Pair(one: alarm.id, other: channel.tenant)] ?? .none, channel)
            }
        }
    }

    /// All of it is known before anything is told. What somebody looks after in the end was begun by nobody else.
    private mutating func hearOfCares(_ batch: Batch) {
        var last: [Pair: Int] = [:]
        for (place, one) in batch.cares.enumerated() {
            last[Pair(one: one.alarm, other: one.tenant)] = place
            cares[Pair(one: one.alarm, other: one.tenant)] = one.care
        }
        let told = Set(batch.alarms.filter { $0.alarm != nil }.map(\.id))
        for (place, one) in batch.cares.enumerated() where !told.contains(one.alarm) {
            let end = last[Pair(one: one.alarm, other: one.tenant)]!, final = batch.cares[end].care
            if place < end, let final, final.isAcknowledged || final.isShelved { continue }
            guard let care = one.care, let alarm = alarms[one.alarm] else { continue }
            for channel in usable where channel.tenant == one.tenant { tell(alarm, care, channel) }
        }
    }

    private mutating func tell(_ alarm: Alarm, _ care: Care, _ channel: Channel) {
        let pair = Pair(one: channel.id, other: alarm.id)
        if care.isShelved, channel.firesOn, !alarm.isOver { told[pair] = nil }
        while let (transition, now) = next(alarm, care, channel, after: told[pair]) {
            said[channel.id, default: [:]][alarm.id, default: []].append(transition)
            told[pair] = now
        }
    }

    /// What a channel is told next, and what it has been told then of an alarm that goes on; nil if it is told nothing.
    private func next(
        _ alarm: Alarm, _ care: Care, _ channel: Channel, after before: Told?
    ) -> (transition: String, told: Told?)? {
        if alarm.isOver { return before.map { _ in ("cleared", nil) } }
        if care.isShelved { return nil }
        var now = before ?? Told(severity: alarm.severity)
        now.severity = alarm.severity
        if !care.isAcknowledged { now.reminders = care.reminders }
        let tenant = tenants[channel.tenant]!
        let isSeen = tenant.isRegulator || !tenant.networks.isDisjoint(with: alarm.networks)
        let mayBegin = channel.tellsAll && !alarm.isSpokenFor && (channel.firesOn || !care.isAcknowledged)
        if before == nil, mayBegin, isSeen { return ("raised", now) }
        if let offer = care.offer, offer.at > now.offer, offer.to == channel.contact, !channel.firesOn, isSeen {
            now.offer = offer.at
            return ("offered:\(offer.at)", now)
        }
        guard let before else { return nil }
        let isWorse = Self.rank(alarm.severity) > Self.rank(before.severity)
        if care.isAcknowledged, !channel.firesOn, !isWorse { return nil }
        if alarm.severity != before.severity {
            now.changes += 1
            return ("changed:\(now.changes)", now)
        }
        let isReminded = care.reminders > before.reminders && !channel.firesOn && channel.tellsAll
        return isReminded ? ("reminded:\(care.reminders)", now) : nil
    }

    private static func rank(_ severity: String) -> Int { severities.firstIndex(of: severity) ?? 0 }
}
