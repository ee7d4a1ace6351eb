internal import Foundation
internal import Lanes
public import Models
public import ServiceKit
internal import Storage
internal import SubjectRights

/// The composition root of the reward dispatcher: opens its books and the provider's, wires its effects to its lanes.
///
/// - Parameter programmes: whose records are rewarded.
/// - Throws: `ServiceError`, `StorageError`, `ZeroMQError`, `LaneError`, ``LedgerError`` naming what cannot be used.
@Sendable
public func buildRewardDispatcher(
    _ configuration: RewardDispatcherConfiguration, _ host: ServiceHost, _ programmes: Programmes
) throws -> RewardDispatcherService {
    let common = configuration.common
    let database = try ServiceDatabase(
        path: host.home.database(of: .rewardDispatcher), migrations: RewardDispatcherEffects.migrations)
    try host.home.settle(database, also: RewardDispatcherEffects.takeIn)
    let keys = try KeyStore(directory: host.home.keys)
    let journal = try Journal(
        lane: .rewards, in: database, limits: LaneLimits(maximumBytes: common.journalBytes(of: .rewards)),
        sealer: common.encryptBlocks
            ? keys.blockSealer(service: ServiceName.rewardDispatcher.rawValue) : nil)
    let callbackSecrets = try CallbackSecrets(keys)
    let provider = try configuration.makeProvider(host.home, keys, callbackSecrets)
    let outlet = CallOutlet()
    let figures = RewardDispatcherFigures(host.metrics, host.logger)
    // Does not run while the machine sleeps: a call that sleeps in it settles only afterwards.
    let clock = SuspendingClock(), start = clock.now
    // Runs then, as the provider's does.
    let sleepless = ContinuousClock(), sleeplessStart = sleepless.now
    let news = FloatNews()
    var settings = configuration.rewards
    settings.schedule.asking = provider.asking
    let effects = try RewardDispatcherEffects(
        programmes, database: database, settings: settings,
        payoutKeys: try PayoutKeys(keys), books: provider as? any ProviderBooks, report: figures.show,
        provider: provider.name, callbackSecrets: provider is HTTPProvider ? callbackSecrets : nil, news: news,
        uptime: { Int64(start.duration(to: clock.now) / .milliseconds(1)) },
        sleepless: { Int64(sleeplessStart.duration(to: sleepless.now) / .milliseconds(1)) }, carryOut: outlet.carryOut)
    let engine = try EffectEngine(
        database: database, reads: RewardDispatcherEffects.subscriptions(programmes), journals: [journal],
        effects: SubjectRightsEffects(
            effects, effects.subjects(journal: journal), database: database, journals: [journal],
            key: ReceiptKey(keys, service: ServiceName.rewardDispatcher.rawValue)))
    let threads = try LaneThreads(
        // Time-outs and questions are those of a provider, who lives in the world's time.
        host, common, engine, clock: host.systemClock,
        EffectLoopOptions(name: "rewards", gather: configuration.gather, niceness: 10))
    let caller = ProviderCaller(provider, timeout: configuration.callTimeout) {
        [answers = effects.answers, wake = threads.loop.wake] call, answer in
        answers.add(answer, to: call)
        wake()
    }
    outlet.open(caller)
    let reader = try database.reader()
    host.control.offer(
        BookCalls(loop: threads.loop, reader: reader, clock: host.systemClock).all
            + DecisionCalls(loop: threads.loop, reader: reader).all
            + CallbackCalls(provider: provider is HTTPProvider ? provider.name : nil, secrets: callbackSecrets).all)
    if let files = provider as? PayoutFileProvider {
        host.control.offer(
            PayoutFileCalls(
                provider: files, loop: threads.loop, timeZone: TimeZone(identifier: common.timeZone) ?? .gmt,
                clock: host.systemClock
            ).all)
    }
    let watch = FloatWatch(
        provider, every: configuration.provider.floatPause, low: configuration.provider.lowFloat, host.metrics,
        host.logger
    ) { [wake = threads.loop.wake] look in
        news.put(look)
        wake()
    }
    return RewardDispatcherService(host: host, threads: threads, provider: provider, servers: [caller, watch])
}

extension RewardDispatcherConfiguration {
    /// - Throws: `ServiceError` of code `usage` naming what is wrong with the provider's files, `StorageError`.
    fileprivate func makeProvider(
        _ home: Home, _ keys: KeyStore, _ callbackSecrets: CallbackSecrets
    ) throws -> any RewardProvider {
        let directory = home.directory(of: .rewardDispatcher)
        if provider.kind == .csv {
            let books = try ServiceDatabase(
                path: directory + "/payouts.sqlite", migrations: PayoutFileStore.migrations)
            try home.settle(books, also: PayoutFileStore.takeIn)
            return try PayoutFileProvider(
                books, try keys.blockSealer(service: "reward-payout-files"),
                directory: provider.directory ?? directory + "/payouts")
        }
        guard let dialect = try provider.dialect(home, callbackSecrets) else {
            return SandboxProvider(
                try SandboxScript(file: sandbox),
                database: try ServiceDatabase(
                    path: sandboxBooks ?? directory + "/sandbox.sqlite",
                    migrations: SandboxProvider.migrations))
        }
        return HTTPProvider(
            dialect,
            try HTTPTransport(
                timeout: HTTPTransport.timeout(within: callTimeout), authorities: provider.authorities))
    }
}

/// Where the effects put calls before the caller that takes them is made, because it needs to know where its answers go.
private final class CallOutlet {
    private var caller: ProviderCaller?

    func open(_ caller: ProviderCaller) { self.caller = caller }

    func carryOut(_ calls: [ProviderCall]) { caller?.carryOut(calls) }
}
