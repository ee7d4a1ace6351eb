internal import Channels
internal import Lanes
internal import Models
internal import NotifierMessages
internal import NotifierSending
public import ServiceKit
internal import Storage
internal import SubjectRights

/// The composition root of the notifier: opens its outbox and keys, wires its effects to its lanes and to what sends.
///
/// - Throws: `ServiceError`, `StorageError`, `ZeroMQError`, `LaneError` naming what cannot be used.
@Sendable
public func buildNotifier(_ configuration: NotifierConfiguration, _ host: ServiceHost) throws -> NotifierService {
    let common = configuration.common
    let database = try ServiceDatabase(
        path: host.home.database(of: .notifier), migrations: NotifierEffects.migrations)
    try host.home.settle(database)
    let store = try KeyStore(directory: host.home.keys)
    let keys = try NotifierKeys(store, contact: configuration.contact)
    let journal = try Journal(
        lane: .deliveries, in: database, limits: LaneLimits(maximumBytes: common.journalBytes(of: .deliveries)),
        sealer: common.encryptBlocks ? store.blockSealer(service: ServiceName.notifier.rawValue) : nil)
    let outlet = CallOutlet<OutgoingCall>(), questions = CallOutlet<OutgoingQuestion>()
    let clock = SuspendingClock(), start = clock.now
    let effects = try NotifierEffects(
        database, configuration.settings, keys, uptime: { Int64(start.duration(to: clock.now) / .milliseconds(1)) },
        report: NotifierMetrics(host.metrics, host.logger).show, carryOut: outlet.carryOut, ask: questions.carryOut)
    let engine = try EffectEngine(
        database: database, reads: NotifierEffects.subscriptions, journals: [journal],
        effects: SubjectRightsEffects(
            effects, effects.subjects(), database: database, journals: [journal],
            key: ReceiptKey(store, service: ServiceName.notifier.rawValue)))
    let threads = try LaneThreads(
        // Time-outs and repetitions are those of others, who live in the world's time.
        host, common, engine, clock: host.systemClock, EffectLoopOptions(name: "notifier", niceness: 10))
    let timeout = configuration.callTimeout
    func poster(_ policy: AddressPolicy) -> HTTPPoster {
        HTTPPoster(SystemResolver(), policy, timeout: timeout, clock: host.systemClock.now)
    }
    let sender = ChannelSending(
        poster: poster(configuration.settings.policy), gatewayPoster: poster(.everywhere), mail: configuration.mail,
        sms: configuration.sms, vapid: keys.vapid, timeout: timeout)
    let caller = ChannelCaller(sender, timeout: timeout * 2) { [answers = effects.answers, wake = threads.loop.wake] in
        answers.add($0, $1)
        wake()
    }
    outlet.open(caller)
    let asking = QuestionSending(poster(configuration.settings.policy), vapid: keys.vapid)
    let asker = QuestionCaller(timeout: timeout * 2, send: asking.send) {
        [answers = effects.questions.answers, wake = threads.loop.wake] in
        answers.add($0, $1)
        wake()
    }
    questions.open(asker)
    host.control.offer(DeliveryCalls(loop: threads.loop, clock: host.systemClock).all)
    return NotifierService(host: host, threads: threads, caller: caller, asker: asker)
}

/// Where the effects put calls before the caller that takes them is made, because it needs to know where its answers go.
private final class CallOutlet<Call: Sendable> {
    private var caller: Caller<Call>?

    func open(_ caller: Caller<Call>) { self.caller = caller }

    func carryOut(_ calls: [(number: UInt64, call: Call)]) {
        for (number, call) in calls { caller?.carryOut(number, call) }
    }
}
