internal import Engagement
internal import Foundation
internal import GRDB
public import Lanes
public import Models
public import Storage
internal import SubjectRights
internal import Wire

/// What the dispatcher does with blocks, time and the provider's answers, each in the transaction that also moves cursors,
/// books the ledger and writes the `rewards` lane.
///
/// Confined to the thread of its engine, except ``answers``. Calls leave by `carryOut`, after the commit that says so and
/// never before: a program that dies in between asks about them when it starts again, and never sends them again.
public final class RewardDispatcherEffects: BlockEffects {
    /// What `ServiceDatabase` needs to open the dispatcher's database.
    public static let migrations: [Migration] = RewardDispatcherStore.migrations

    /// Where answers to the calls wait for the next step; from any thread.
    public let answers = ProviderAnswers()
    /// Whose records are rewarded.
    let programmes: Programmes
    private let handlers: EffectHandlers<Reading>
    let store = RewardDispatcherStore()
    private let ledger = Ledger()
    let settings: RewardSettings
    private let engagement: EngagementRules
    private let zone: TimeZone
    var standings: StandingBook
    let payouts: PayoutBook?
    let callbacks: CallbackBook
    private let report: (RewardReport) -> Void
    private let uptime: () -> Int64
    private let sleepless: () -> Int64
    private let news: FloatNews
    private let carryOut: ([ProviderCall]) -> Void
    private var decoder = ColumnDecoder()
    var maker: GrantMaker
    var competitions: CompetitionBook
    /// To which campaigns' figures are. Nobody waits for them as for an alarm, so that the thread need not hurry for it.
    public private(set) var completeTo: UnixMilliseconds?
    public var shownTo: UnixMilliseconds? { nil }
    private var hasToldFigures = false
    private var hasLookedBack = false
    /// Whether the edge has been told what it needs to know in this life.
    private var hasPublished = false
    var restored: RestoredGrants
    private var nextDue: UnixMilliseconds?
    private var pace: ProviderPace
    private var providerState: ProviderState
    /// Not before this time is the provider called again: enough calls a second, or it does not answer.
    private var pausedUntil: UnixMilliseconds = .min
    /// Whether a person may have decided something that is not booked yet.
    var hasDecisions = true
    private var outgoing: [ProviderCall] = []
    private(set) var underWay: CallsUnderWay
    let erasure: RewardErasure
    var done = RewardReport()

    /// - Parameters:
    ///   - programmes: whose records are rewarded.
    ///   - database: opened with ``migrations``.
    ///   - payoutKeys: the secrets of payout numbers; nil takes none.
    ///   - books: those of the provider, if they are in this home.
    ///   - random: from which the names are made that stand for erased subjects; unpredictable.
    ///   - report: told what each commit did; called on the engine's thread.
    ///   - provider: its name.
    ///   - callbackSecrets: by which it is known when it calls back; nil if it does not.
    ///   - news: what is left with it, as far as somebody looks.
    ///   - uptime: milliseconds of a clock that only rises, whatever the world's clock is set to, and stands still while the machine
    ///     sleeps.
    ///   - sleepless: the same of one that goes on; nil for ``uptime``.
    ///   - carryOut: takes the calls of each commit; each is answered into ``answers``, once. Called on the engine's thread.
    /// - Throws: ``LedgerError`` if the ledger does not add up, `StorageError`.
    public init(
        _ programmes: Programmes, database: ServiceDatabase, settings: RewardSettings, payoutKeys: PayoutKeys? = nil,
        books: (any ProviderBooks)? = nil, random: @escaping () -> UInt64 = { .random(in: .min ... .max) },
        report: @escaping (RewardReport) -> Void = { _ in }, provider: String = "sandbox",
        callbackSecrets: CallbackSecrets? = nil, news: FloatNews = FloatNews(),
        uptime: @escaping () -> Int64, sleepless: (() -> Int64)? = nil, carryOut: @escaping ([ProviderCall]) -> Void
    ) throws {
        self.programmes = programmes
        handlers = Self.handlers(programmes)
        self.settings = settings
        engagement = .standard(programmes.kinds.filter(\.isRewarded).map(\.kind.name).sorted())
        zone = TimeZone(identifier: settings.timeZone) ?? .gmt
        competitions = CompetitionBook(zone: zone)
        standings = StandingBook(engagement.measures, zone: zone, pause: settings.standingsPause)
        payouts = payoutKeys.map {
            PayoutBook(
                $0, mostDevices: settings.devicesOfANumber, gap: settings.numberGap, needsNumber: settings.needsNumber)
        }
        callbacks = CallbackBook(secret: callbackSecrets?.document(of: provider))
        self.report = report
        self.uptime = uptime
        self.sleepless = sleepless ?? uptime
        self.news = news
        self.carryOut = carryOut
        erasure = RewardErasure(database, declared: DeclaredRecords(Self.tables), books: books, random: random)
        underWay = CallsUnderWay(
            settle: settings.schedule.settle, repeatable: settings.schedule.asking.repeatable, startedAt: uptime())
        pace = ProviderPace(
            callsAtOnce: settings.callsAtOnce, callsPerSecond: settings.callsPerSecond, breaker: settings.breaker,
            at: uptime())
        (maker, restored, providerState) = try database.read { [store, ledger] db in
            try ledger.check(db)
            let rules = settings.rules(try store.campaigns(db))
            return (
                GrantMaker(rules, holdsSuspected: settings.holdsSuspected), try RestoredGrants(db),
                try ProviderState(provider, db)
            )
        }
    }

    /// A transaction's blocks, in the hands of the handlers.
    struct Reading {
        let effects: RewardDispatcherEffects
        var changes: GrantChanges
        var engagement: EngagementChanges
    }

    /// Days of campaigns that are told at once after an upgrade.
    private static let figuresAtOnce = 500

    public func require(_ kind: RecordKind, on lane: LaneName) throws { try handlers.require(kind, on: lane) }

    public func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        var reading = Reading(
            effects: self, changes: changes(transaction.now, transaction.db),
            engagement: EngagementChanges(engagement, zone: zone, transaction.db))
        for block in blocks { try handlers.handle(block, &decoder, with: &reading, in: &transaction) }
        try finish(&reading.changes, &transaction.emit)
        if try reading.engagement.finish(&transaction.emit) { standings.note(now: transaction.now) }
    }

    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        var changes = changes(transaction.now, transaction.db)
        if !hasLookedBack {
            for grant in try store.interrupted(transaction.db) {
                try changes.decide(.restarted(now: transaction.now), grant)
            }
            hasLookedBack = true
        }
        if !hasToldFigures { hasToldFigures = try changes.days.tellOld(limit: Self.figuresAtOnce) }
        try restored.askFirst(store, &changes)
        try bookDecisions(&changes, &transaction.emit)
        try awardWinners(&changes)
        if !hasPublished {
            try payouts?.publish(&transaction.emit, transaction.db)
            try callbacks.publish(&transaction.emit, transaction.db)
            hasPublished = true
        }
        let answered = answers.take()
        // Read after them: none of their calls ended later.
        let time = uptime()
        for (call, answer) in answered {
            underWay.end(call, answer, at: time)
            pace.note(call, answer, at: time)
            guard let grant = try store.grant(call.grant, transaction.db) else { continue }
            try changes.decide(.answered(answer, to: call, now: transaction.now), grant)
            if call.purpose.isOrder { try erasure.orderIsOver(of: grant, now: transaction.now) }
            done.count(call, answer)
        }
        try takeNews(now: transaction.now, transaction.db)
        let mayCall = try restored.mayCall(now: transaction.now, transaction.db)
        for grant in mayCall ? try store.due(transaction.now, limit: room(at: time), transaction.db) : [] {
            try takeUp(grant, at: time, &changes)
        }
        pausedUntil = transaction.now + pace.take(changes.calls.count, at: time)
        done.isProviderSilent = pace.isSilent
        done.isProviderUnfunded = pace.isUnfunded
        try finish(&changes, &transaction.emit)
        try standings.tell(now: transaction.now, &transaction.emit, transaction.db)
        try providerState.tell(
            isUnfunded: pace.isUnfunded, isSilent: pace.isSilent, now: transaction.now, &transaction.emit,
            transaction.db)
        return true
    }

    /// Somebody has looked what is left with the provider.
    private func takeNews(now: UnixMilliseconds, _ db: Database) throws {
        guard let look = news.take() else { return }
        providerState.note(look)
        if let left = look.left, pace.note(left: left) {
            try store.wake(heldFor: RewardDispatcherCore.noFloat, now, db)
        }
    }

    /// Something is to be done about a grant.
    ///
    /// - Parameter time: what the clock that only rises shows.
    private func takeUp(_ grant: Grant, at time: Int64, _ changes: inout GrantChanges) throws {
        let now = changes.now, db = changes.db
        if grant.state == .pending, let hold = try payouts?.hold(grant.device, now: now, db) {
            try changes.decide(hold.event, grant)
            return done.count(hold)
        }
        if grant.state == .pending, grant.erased == nil, !pace.admitsOrder(at: time) {
            try changes.decide(.held(RewardDispatcherCore.noFloat, until: now + pace.orderPause(at: time)), grant)
            return done.unfunded += 1
        }
        let given = underWay.given(grant.id, at: sleepless())
        let isSameNumber = try given.map { try payouts?.number(of: grant.device, db) == $0.recipient } ?? false
        let quiet = underWay.quietMilliseconds(grant.id, at: time), before = changes.calls.count
        try changes.decide(
            .due(now: now, quietMilliseconds: quiet, givenAgo: isSameNumber ? given?.ago : nil), grant)
        if changes.calls.dropFirst(before).contains(where: \.purpose.isOrder) {
            try payouts?.notePayment(to: grant.device, now: now, db)
        }
    }

    public func committed(now: UnixMilliseconds) throws {
        underWay.begin(outgoing, givenAt: sleepless())
        done.inFlight = underWay.calls.count
        report(done)
        done = RewardReport()
        let calls = outgoing
        outgoing.removeAll()
        if !calls.isEmpty { carryOut(calls) }
        try erasure.cleanIfDue(now: now)
    }

    public func lanesComplete(to moments: [LaneName: UnixMilliseconds]) {
        completeTo = moments.moment(of: Self.rewardedLanes(programmes))
    }

    public var nextTick: UnixMilliseconds? {
        if !hasLookedBack || !hasToldFigures || hasDecisions || !answers.isEmpty || !news.isEmpty || restored.hasGrants
        {
            return 0
        }
        let due = isFull ? nil : nextDue.map { max($0, restored.callsFrom, pausedUntil) }
        return [erasure.cleaningAt, standings.dueAt, competitions.dueAt, due].compactMap(\.self).min()
    }

    /// Calls that are on the way or will be after this commit.
    private var calls: Int { underWay.calls.count + outgoing.count }

    /// True if nothing is called before an answer has come.
    private var isFull: Bool { pace.isFull(calls) }

    /// Calls that may still be made now.
    private func room(at time: Int64) -> Int { pace.room(beside: calls, at: time) }

    /// Somebody says that there is news of payments: the provider is asked, and believed.
    func hint(_ references: [PaymentReference], now: UnixMilliseconds, _ db: Database) throws {
        for reference in references { try store.wake(.reference, reference.text, now, db) }
        nextDue = try store.nextDue(db)
    }

    /// Something that standings are made of has gone.
    func noteStandings(now: UnixMilliseconds) { standings.note(now: now) }

    func changes(_ now: UnixMilliseconds, _ db: Database) -> GrantChanges {
        GrantChanges(store, ledger, settings.schedule, now: now, db)
    }

    func finish(_ changes: inout GrantChanges, _ emit: inout Emission) throws {
        let changed = try changes.finish(&emit)
        maker.move(changes.spent)
        outgoing += try changes.calls.map { try addressed($0, changes.db) }
        nextDue = try store.nextDue(changes.db)
        done.changed += changed.map(\.state)
        done.contradictions += changes.contradictions
        done.open = try store.open(changes.db)
        done.erasedOpen = try erasure.openGrants(changes.db)
        if changes.hasReplacedReferences { erasure.noteReplaced(now: changes.now) }
    }

    /// An order to pay with the number it goes to, which is in memory from here until the call is over.
    private func addressed(_ call: ProviderCall, _ db: Database) throws -> ProviderCall {
        guard call.purpose.isOrder else { return call }
        var call = call
        call.recipient = try payouts?.number(of: call.device, db)
        return call
    }
}
