internal import Channels
internal import GRDB
internal import Models
internal import NotifierMessages

/// Tells channels of alarms: decides, notes what they were told, and puts deliveries into the outbox, all in one transaction.
struct Telling {
    let db: Database
    let now: UnixMilliseconds
    let mostWaiting: Int
    private(set) var made = 0
    private(set) var refused = 0
    private var waiting: [String: Int] = [:]

    init(_ db: Database, now: UnixMilliseconds, mostWaiting: Int) {
        self.db = db
        self.now = now
        self.mostWaiting = mostWaiting
    }

    /// Tells a channel of an alarm as it is now: of its beginning before what came later.
    mutating func tell(_ alarm: AlarmFact, networks: Set<PLMN>, _ care: AlarmCare, _ book: ChannelBook.Usable) throws {
        let alarms = AlarmStore(db), channel = book.channel
        while true {
            let told = try alarms.told(channel.id, alarm.id)
            let decision = TellingCore.decide(
                alarm, networks: networks, told: told, care, channel, owned: book.owned)
            var now = told ?? ToldAlarm(severity: alarm.severity)
            now.severity = alarm.severity
            if !care.isAcknowledged { now.reminders = care.reminders }
            var previous: Severity?
            switch decision {
            case .nothing:
                if told != nil, channel.kind.firesOn { try OutboxStore(db).refire(channel.id, alarm, dueAt: nil) }
                return
            case .raise:
                guard try hasRoom(channel.id) else { return refused += 1 }
            case .change(let from, let number): (previous, now.changes) = (from, number)
            case .remind: break
            case .call(let number):
                // A channel that is called at once begins with the call.
                guard try told != nil || hasRoom(channel.id) else { return refused += 1 }
                now.calls = number
            case .offer(let at):
                guard try told != nil || hasRoom(channel.id) else { return refused += 1 }
                now.offers = at
            case .hide(let from, _), .clear(let from): previous = from
            }
            switch decision {
            case .hide, .clear: try alarms.note(nil, channel.id, alarm.id)
            default: try alarms.note(now, channel.id, alarm.id)
            }
            try add(decision, alarm, previous, channel, isFirst: told == nil)
        }
    }

    /// Tells a contact a one-time code, by its own channels of kind `email` and `sms`.
    ///
    /// - Returns: whether there is one, and the code is not over.
    mutating func tell(_ code: LoginCodeDocument, _ book: ChannelBook) throws -> Bool {
        let own = book.all.filter { one in
            one.channel.tenant == code.tenant && one.channel.contact == code.contact && one.channel.kind.isOfOne
        }
        guard now < code.at + LoginCodeDocument.lifetime, !own.isEmpty else { return false }
        for one in own { try add(Delivery(one.channel, code, now: now)) }
        return true
    }

    /// What a channel was told began is told as over, however much waits: there is no more of it than of beginnings.
    private mutating func add(
        _ decision: TellingCore.Decision, _ alarm: AlarmFact, _ previous: Severity?, _ channel: Channel, isFirst: Bool
    ) throws {
        let outbox = OutboxStore(db)
        if channel.kind.firesOn {
            switch decision {
            case .raise, .call:
                // How often somebody is called does not change how the alarm stands.
                guard isFirst else { return }
                return try add(Delivery(channel, alarm: alarm, transition: Delivery.firing, now: now))
            case .change: try outbox.refire(channel.id, alarm, dueAt: now)
            case .hide, .clear: try outbox.endFiring(channel.id, alarm: alarm.id)
            case .nothing, .remind, .offer: return
            }
        }
        // What a listener does not want is noted as told all the same.
        if case .tmf642(_, let events) = channel.kind, !events.contains(decision.event) { return }
        var dueAt = now
        if case .email(_, let digest) = channel.kind { dueAt = try outbox.digestAt(channel.id) ?? now + digest }
        try add(
            Delivery(
                channel, alarm: alarm, transition: decision.transition, previous: previous, now: now, dueAt: dueAt))
    }

    private mutating func add(_ delivery: Delivery) throws {
        try OutboxStore(db).add(delivery)
        waiting[delivery.channel]? += 1
        made += 1
    }

    private mutating func hasRoom(_ channel: String) throws -> Bool {
        if waiting[channel] == nil { waiting[channel] = try OutboxStore(db).waiting(channel) }
        return waiting[channel]! < mostWaiting
    }
}

extension Channel.Kind {
    /// Whether one person reads it.
    fileprivate var isOfOne: Bool {
        switch self {
        case .email, .sms: true
        case .webhook, .alertmanager, .tmf642, .webpush: false
        }
    }
}

extension TellingCore.Decision {
    /// As listeners of TMF642 are told.
    fileprivate var event: AlarmEvent { AlarmEvent(transition: String(transition.prefix { $0 != ":" })) }
}
