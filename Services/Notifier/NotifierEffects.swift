internal import Channels
internal import GRDB
public import Lanes
public import Models
internal import NotifierMessages
internal import NotifierSending
public import Storage
internal import SubjectRights
internal import Wire

/// What the notifier does with blocks, time and answers, each in the transaction that also moves cursors and writes the
/// `deliveries` lane: channels and tenants from `operations`, alarms from `alerts`, an outbox of what is to be told, and questions to
/// subscribers from `requests`.
///
/// Confined to the thread of its engine, except ``answers``. Calls leave by `carryOut`, after the commit of what they tell. One
/// that is not answered when the program ends is made again: at least once, under the same name. Questions are tried once.
public final class NotifierEffects: BlockEffects {
    /// What `ServiceDatabase` needs to open the notifier's database.
    public static let migrations: [Migration] = [
        OutboxStore.migration, CareStore.migration, CareStore.offers, QuestionStore.migration,
    ]
    /// What the notifier reads. Optional: the country goes on without it.
    public static let subscriptions = [
        LaneSubscription(lane: .operations, kinds: [.tenant, .channel, .loginCode], isRequired: false),
        LaneSubscription(lane: .alerts, kinds: [.alarm, .alarmHandling, .erasureReceipt], isRequired: false),
        LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .retentionOrder], isRequired: false),
        LaneSubscription(lane: .requests, kinds: [.push, .pushPrompt], isRequired: false),
    ]

    /// Where answers wait for the next step; from any thread.
    let answers = SendAnswers()
    private let settings: NotifierSettings
    let keys: NotifierKeys
    private let random: () -> UInt64
    private let uptime: () -> Int64
    private let report: (NotifierReport) -> Void
    private let carryOut: ([(number: UInt64, call: OutgoingCall)]) -> Void
    private let ask: ([(number: UInt64, call: OutgoingQuestion)]) -> Void
    private var decoder = ColumnDecoder()
    private(set) var book = ChannelBook()
    private var flow = ChannelFlow()
    var questions = QuestionFlow()
    private var outgoing: [(number: UInt64, call: OutgoingCall)] = []
    private var isPublished = false
    private var nextDue: UnixMilliseconds?
    private var nextHousekeeping: UnixMilliseconds = 0
    private var done = NotifierReport()

    /// - Parameters:
    ///   - database: opened with ``migrations``.
    ///   - random: by which pauses differ.
    ///   - uptime: milliseconds of a clock that only rises.
    ///   - report: told what each commit did; called on the engine's thread.
    ///   - carryOut: takes the calls of each commit; each is answered into ``answers``, once. Called on the engine's thread.
    ///   - ask: takes the questions of each commit; each is answered into those of ``questions``, once. Called on the engine's thread.
    init(
        _ database: ServiceDatabase, _ settings: NotifierSettings, _ keys: NotifierKeys,
        random: @escaping () -> UInt64 = { .random(in: .min ... .max) }, uptime: @escaping () -> Int64,
        report: @escaping (NotifierReport) -> Void = { _ in },
        carryOut: @escaping ([(number: UInt64, call: OutgoingCall)]) -> Void,
        ask: @escaping ([(number: UInt64, call: OutgoingQuestion)]) -> Void = { _ in }
    ) throws {
        self.settings = settings
        self.keys = keys
        self.random = random
        self.uptime = uptime
        self.report = report
        self.carryOut = carryOut
        self.ask = ask
        try database.read { db in
            try reload(db)
            nextDue = 0
        }
    }

    public func require(_ kind: RecordKind, on lane: LaneName) throws {
        try NotifierReading.handlers.require(kind, on: lane)
    }

    public func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        var reading = NotifierReading()
        for block in blocks { try NotifierReading.handlers.handle(block, &decoder, with: &reading, in: &transaction) }
        done.unreadable += reading.unreadable
        try put(reading.pushed, transaction.db)
        for channel in reading.removed.sorted() { try remove(channel, "the channel was removed", in: &transaction) }
        if reading.hasNewTenants || !reading.channels.isEmpty || !reading.removed.isEmpty { try reload(transaction.db) }
        var telling = Telling(transaction.db, now: transaction.now, mostWaiting: settings.mostWaiting)
        let toldBelow = Set(reading.alarms.map(\.alarm.id))
        let cares = try put(reading.cares, transaction.db)
        for (alarm, tenant, care) in cares where !toldBelow.contains(alarm) {
            try tell(alarm, tenant, care, &telling)
        }
        for (alarm, networks) in reading.alarms { try tell(alarm, networks, &telling) }
        // These were told with what was made of them last: whom a call before that called is told, too.
        for (alarm, tenant, care) in cares where care.call != nil && toldBelow.contains(alarm) {
            var last = try CareStore(transaction.db).care(alarm, of: tenant)
            last.call = care.call
            try tell(alarm, tenant, last, &telling)
        }
        let changed = book.all.filter { reading.hasNewTenants || reading.channels.contains($0.channel.id) }
        for one in changed { flow.hurry(one.channel.id) }
        try introduce(changed, &telling)
        for code in reading.codes { done.codesUnsent += try telling.tell(code, book) ? 0 : 1 }
        done.made += telling.made
        done.refused += telling.refused
        try look(transaction)
    }

    /// Keeps where subscribers' browsers are and what they are to be asked.
    private func put(_ pushed: [(device: UInt64, change: NotifierReading.Pushed)], _ db: Database) throws {
        for (device, change) in pushed {
            switch change {
            case .subscription(let document): try QuestionStore(db).put(document, of: device)
            case .question(let question):
                if let end = try questions.add(question, to: device, db) { done.questions[end, default: 0] += 1 }
            }
        }
    }

    /// Keeps what contacts have made of alarms, all of it before anything is told: no message leaves that they have forestalled.
    ///
    /// - Returns: what is to be told of it, in the order of the lane.
    private func put(
        _ cares: [(alarm: String, tenant: String, care: AlarmCare?)], _ db: Database
    ) throws -> [(alarm: String, tenant: String, care: AlarmCare)] {
        let store = CareStore(db)
        var last: [[String]: Int] = [:]
        for (place, one) in cares.enumerated() { last[[one.alarm, one.tenant]] = place }
        var told: [(alarm: String, tenant: String, care: AlarmCare)] = []
        for (place, (alarm, tenant, care)) in cares.enumerated() {
            guard let care else {
                try store.remove(alarm, of: tenant)
                continue
            }
            let before = try store.care(alarm, of: tenant).call?.number ?? 0, end = last[[alarm, tenant]] ?? place
            try store.put(care, alarm, of: tenant)
            if place < end, cares[end].care?.isForestalling == true { continue }
            if let call = care.call, call.number > before {
                done.unreachable += book.unreachable(by: call, of: tenant)
            }
            told.append((alarm, tenant, care))
        }
        return told
    }

    private func tell(_ alarm: AlarmFact, _ networks: Set<PLMN>, _ telling: inout Telling) throws {
        try AlarmStore(telling.db).put(alarm, networks: networks)
        try tell(alarm, networks, by: book.all, &telling)
    }

    /// Tells the channels of a tenant what its contacts have made of an alarm.
    private func tell(_ alarm: String, _ tenant: String, _ care: AlarmCare, _ telling: inout Telling) throws {
        guard let (alarm, networks) = try AlarmStore(telling.db).open(alarm) else { return }
        for one in book.all where one.channel.tenant == tenant {
            try telling.tell(alarm, networks: networks, care, one)
        }
    }

    private func tell(
        _ alarm: AlarmFact, _ networks: Set<PLMN>, by channels: [ChannelBook.Usable], _ telling: inout Telling
    ) throws {
        let cares = try CareStore(telling.db).cares(alarm.id)
        for one in channels { try telling.tell(alarm, networks: networks, cares[one.channel.tenant] ?? .none, one) }
    }

    /// Channels that are new are told of what goes on.
    private func introduce(_ channels: [ChannelBook.Usable], _ telling: inout Telling) throws {
        guard !channels.isEmpty else { return }
        var last = ""
        while true {
            let alarms = try AlarmStore(telling.db).open(after: last, limit: 500)
            for (alarm, networks) in alarms {
                try tell(alarm, networks, by: channels, &telling)
            }
            guard let end = alarms.last?.alarm.id else { return }
            last = end
        }
    }

    /// Nothing is told by a channel any more.
    private func remove(_ channel: String, _ reason: String, in transaction: inout EffectTransaction) throws {
        let outbox = OutboxStore(transaction.db)
        try outbox.endFiring(channel)
        try AlarmStore(transaction.db).forget(channel: channel)
        let ended = try outbox.giveUp(channel, reason, transaction.now)
        done.dead += ended.count
        try emit(ended.map(\.told), &transaction)
    }

    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        try publishKey(in: &transaction)
        try settleAnswers(in: &transaction)
        if nextHousekeeping <= transaction.now { try keepHouse(in: &transaction) }
        try handOut(transaction)
        try questions.step(
            now: transaction.now, transaction.db,
            open: { PushSeal.open($0, of: $1, settings.policy, with: keys.privateKey) },
            ended: { done.questions[$0, default: 0] += 1 })
        try look(transaction)
        return true
    }

    private func settleAnswers(in transaction: inout EffectTransaction) throws {
        var settling = Settling(transaction.db, now: transaction.now, settings.schedule, random: random)
        for (number, answer) in answers.take() {
            guard let call = flow.underWay[number] else { continue }
            var resend: UnixMilliseconds?
            if case .alertmanager(_, let interval)? = book.usable[call.channel]?.channel.kind { resend = interval }
            let rest = try settling.settle(call, answer, resend: resend)
            _ = flow.end(number, restUntil: rest)
            done.calls[answer.word, default: 0] += 1
            if let reason = answer.reason { done.failures.append((call.channel, reason)) }
            if case .gone(let reason) = answer {
                try ChannelStore(transaction.db).gone(call.channel, reason)
                try remove(call.channel, "the subscription is over", in: &transaction)
                try reload(transaction.db)
            }
        }
        done.dead += settling.dead
        try emit(settling.told, &transaction)
    }

    /// Hands out what is due, as far as there is room.
    private func handOut(_ transaction: EffectTransaction) throws {
        let outbox = OutboxStore(transaction.db), time = uptime()
        var due: [(at: UnixMilliseconds, one: ChannelBook.Usable)] = []
        for one in book.all {
            let id = one.channel.id
            guard let next = flow.nextAt(id, limit: one.channel.perMinute, now: transaction.now, uptime: time),
                next <= transaction.now, let at = try outbox.nextDue(id), at <= transaction.now
            else { continue }
            due.append((at, one))
        }
        for (_, one) in due.sorted(by: { $0.at < $1.at }).prefix(max(settings.callsAtOnce - flow.underWay.count, 0)) {
            var deliveries = try outbox.due(one.channel.id, transaction.now, limit: one.channel.mostAtOnce)
            // A one-time code goes first, and by itself.
            if let first = deliveries.first(where: \.isCode) { deliveries = [first] }
            let told = deliveries.map { ($0.id, $0.outgoing) }
            let number = flow.begin(one.channel.id, told.map { ($0, $1?.alarm.severity) }, uptime: time)
            let call = OutgoingCall(
                channel: one.channel, secrets: one.secrets, deliveries: told.compactMap(\.1), at: transaction.now,
                attempts: deliveries.map(\.attempts).max() ?? 0,
                code: deliveries.first?.code(with: keys.privateKey, now: transaction.now))
            self.outgoing.append((number, call))
        }
    }

    private func publishKey(in transaction: inout EffectTransaction) throws {
        guard !isPublished else { return }
        let store = ChannelStore(transaction.db)
        guard try store.publishedKey() != keys.document.id else { return }
        try transaction.emit.append(
            to: .deliveries, kind: .channelKey, columns: .documents([("current", keys.document)]))
        try store.published(keys.document.id)
    }

    /// Deliveries that ended long ago go, some at a time.
    private func keepHouse(in transaction: inout EffectTransaction) throws {
        let limit = 500
        let gone = try OutboxStore(transaction.db).expire(
            before: transaction.now - settings.keep, most: settings.mostEnded, limit: limit)
        nextHousekeeping = transaction.now + (gone.count == limit ? 100 : 60_000)
        guard !gone.isEmpty else { return }
        try transaction.emit.append(
            to: .deliveries, kind: .delivery, columns: .tombstones(gone.map { ($0, nil) }))
    }

    private func emit(_ told: [DeliveryDocument], _ transaction: inout EffectTransaction) throws {
        guard !told.isEmpty else { return }
        try transaction.emit.append(
            to: .deliveries, kind: .delivery, columns: .documents(told.map { ($0.id, $0) }))
    }

    private func reload(_ db: Database) throws {
        let store = ChannelStore(db)
        book = ChannelBook(try store.all(), tenants: try store.tenants(), settings, privateKey: keys.privateKey)
        done.problems = book.problems
    }

    /// When something is due next.
    private func look(_ transaction: EffectTransaction) throws {
        let outbox = OutboxStore(transaction.db), time = uptime()
        nextDue = nil
        done.waiting = try outbox.count(.waiting)
        done.subscriptions = try QuestionStore(transaction.db).subscriptions()
        guard flow.underWay.count < settings.callsAtOnce else { return }
        for one in book.all {
            let id = one.channel.id
            guard let free = flow.nextAt(id, limit: one.channel.perMinute, now: transaction.now, uptime: time),
                let due = try outbox.nextDue(id)
            else { continue }
            nextDue = min(nextDue ?? .max, max(due, free))
        }
    }

    public func committed(now: UnixMilliseconds) {
        isPublished = true
        done.inFlight = flow.underWay.count
        done.usable = book.usable.count
        report(done)
        done = NotifierReport()
        let calls = outgoing
        outgoing.removeAll()
        if !calls.isEmpty { carryOut(calls) }
        let asked = questions.committed()
        if !asked.isEmpty { ask(asked) }
    }

    /// What was changed from outside is looked at in the next step.
    func hurry(_ channel: String) {
        flow.hurry(channel)
        nextDue = 0
    }

    public var nextTick: UnixMilliseconds? {
        if !isPublished || !answers.isEmpty || questions.isDue { return 0 }
        return min(nextDue ?? .max, nextHousekeeping)
    }
}

extension SendAnswer {
    /// The word of the metric.
    fileprivate var word: String {
        switch self {
        case .delivered: "delivered"
        case .failed: "failed"
        case .gone: "gone"
        }
    }

    fileprivate var reason: String? {
        switch self {
        case .delivered: nil
        case .failed(let reason, _), .gone(let reason): reason
        }
    }
}

extension Channel {
    /// Deliveries of one message.
    fileprivate var mostAtOnce: Int {
        switch kind {
        case .webhook, .tmf642, .webpush, .sms: 1
        case .alertmanager: 100
        case .email: 200
        }
    }
}
