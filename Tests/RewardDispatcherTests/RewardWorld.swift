import Foundation
import GRDB
import Lanes
import Models
import ProviderEmulators
import QoE
import Storage
import SubjectRights
import Wire

@testable import RewardDispatcher

/// One run in virtual time: lanes that deliver every feedback five times, a provider that errs, and a dispatcher that is
/// killed at commits. Everything follows from the seed.
final class RewardWorld {
    let seed: UInt64
    let rows: [Given]
    let dailyMaximum: Int64
    private(set) var provider: any WorldProvider
    private(set) var commits = 0
    private(set) var kills = 0
    /// The last document of each key on the `rewards` lane.
    private(set) var grantsOnLane: [String: GrantDocument] = [:]
    private(set) var balancesOnLane: [String: BalanceDocument] = [:]
    let database: ServiceDatabase

    private let kill: (_ commit: Int, _ random: inout SplitMix64) -> CrashingEffects.Moment?
    private let settings: RewardSettings
    private let dialect: EmulatedProvider.Dialect?
    private let outlet = Outlet()
    private var random: SplitMix64
    /// What a clock would show that was never set.
    private var now = RewardBench.start
    private let setsClock: Bool
    /// How far the world's clock has been set forward.
    private var clockError: UnixMilliseconds = 0
    private var lanes: [LaneName: [(at: UnixMilliseconds, block: LaneBlock)]] = [:]
    private var events: [(at: UnixMilliseconds, event: SimulatedProvider.Event)] = []
    private var life = 0
    private var engine: EffectEngine
    private var effects: CrashingEffects
    private var rewards: RewardDispatcherEffects
    /// Whom an order erases.
    let erased: Set<Int64>
    /// Those of them whose receipt was seen.
    private(set) var signed: Set<Int64> = []
    /// What was told of a device after its receipt.
    private(set) var toldAfterwards: [String] = []
    private var decoder = ColumnDecoder()

    /// True if the provider cannot be asked about some orders: those wait for a statement.
    var mayStayUnknown: Bool { !settings.schedule.asking.contains(.reference) }

    /// - Parameters:
    ///   - dialect: speaks to an emulated provider in its dialect, to numbers that devices have given.
    ///   - setsClock: the world's clock is set forward now and then.
    ///   - erases: some devices are erased while it runs.
    ///   - changesMind: the provider takes payments back, and pays what it had refused; it is asked a second time.
    ///   - kill: decides at each commit, numbered from 1, whether the program dies there.
    init(
        seed: UInt64, dialect: EmulatedProvider.Dialect? = nil, setsClock: Bool = false, erases: Bool = false,
        changesMind: Bool = false,
        kill: @escaping (Int, inout SplitMix64) -> CrashingEffects.Moment?
    )
        throws
    {
        self.seed = seed
        self.kill = kill
        self.setsClock = setsClock
        var random = SplitMix64(seed: seed)
        let maximum: Int64 = random.chance(percent: 50) ? 0 : 2
        dailyMaximum = maximum
        rows = Self.rows(&random)
        lanes = try Self.lanes(rows, &random)
        erased = erases ? try Self.order(rows, &lanes, &random) : []
        let healsAt = RewardBench.start + 60_000, patience: Int64? = changesMind ? 20_000 : nil
        var schedule = RewardBench.schedule
        if changesMind { schedule.recheck = 30_000 }
        if let dialect {
            let emulated = EmulatedWorldProvider(
                dialect, healsAt: healsAt, changesMindWithin: patience, seed: random.next())
            schedule.asking = emulated.dialect.asking
            provider = emulated
            var payouts = PayoutBench(Self.payoutKeys)
            lanes[.requests] = [
                (RewardBench.start, try payouts.block((1...3).map { ($0, "+23767000000\($0)") }))
            ]
        } else {
            provider = SimulatedProvider(healsAt: healsAt, changesMindWithin: patience, seed: random.next())
        }
        settings = RewardSettings(
            builtIn: RewardBench.campaign(dailyMaximum: maximum), schedule: schedule, callsAtOnce: 3,
            timeZone: "Africa/Douala", numberGap: dialect == nil ? 0 : EmulatedWorldProvider.gap,
            needsNumber: dialect != nil)
        database = try ServiceDatabase(path: ":memory:", migrations: RewardDispatcherEffects.migrations)
        self.dialect = dialect
        (engine, effects, rewards) = try Self.open(database, settings, dialect, outlet)
        self.random = random
    }

    /// Runs until nothing is left to do.
    ///
    /// - Returns: what was wrong first, nil if nothing was.
    func run() throws -> String? {
        let end = RewardBench.start + 3_600_000
        while let next = nextTime, next <= end {
            now = max(now, next)
            takeEvents()
            let blocks = waitingBlocks
            if !blocks.isEmpty || (effects.nextTick.map { $0 <= now + clockError } ?? false) { try step(blocks) }
            if let wrong = try RewardCheck(self).always() { return "at +\(now - RewardBench.start) ms: \(wrong)" }
        }
        return try RewardCheck(self).atTheEnd()
    }

    private func step(_ blocks: [LaneBlock]) throws {
        if setsClock && random.chance(percent: 10) { clockError += 3_600_000 }
        outlet.uptime = now
        effects.moment = kill(commits + 1, &random)
        do {
            let outcome = try engine.step(blocks, now: now + clockError)
            commits += 1
            try read(outcome)
        } catch is CrashingEffects.Killed {
            commits += 1
        }
        for call in outlet.calls {
            events += provider.make(
                call, life: life, timeout: settings.schedule.callTimeout, settle: settings.schedule.settle, now: now)
        }
        outlet.calls = []
        if effects.moment != nil { try restart() }
    }

    private func restart() throws {
        kills += 1
        life += 1
        now += random.below(3_000)
        outlet.uptime = now
        (engine, effects, rewards) = try Self.open(database, settings, dialect, outlet)
    }

    private func takeEvents() {
        while let place = events.indices.min(by: { events[$0].at < events[$1].at }), events[place].at <= now {
            let (at, event) = events.remove(at: place)
            switch event {
            case .callsBack(let callback): callBack(callback, at: at)
            case .arrives(let call, let life):
                defer { events += provider.callbacks(after: call, now: at).map { ($0, .callsBack($1)) } }
                guard let (heard, answer) = provider.receive(call, now: at) else { continue }
                events.append((heard, .answers(answer, call, life: life)))
            case .answers(let answer, let call, let life):
                guard life == self.life, outlet.open.remove(call) != nil else { continue }
                rewards.answers.add(answer, to: call)
            }
        }
    }

    /// The edge tells what the provider called about.
    private func callBack(_ callback: ProviderCallbackDocument, at time: UnixMilliseconds) {
        let number = UInt64(lanes[.requests, default: []].count + 1)
        let columns = Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.receivedAt, values: [time]),
                Column(id: ColumnID.document, strings: [Array(try! JSONEncoder().encode(callback))]),
            ])
        let block = try! Given.block(number, .providerCallback, columns, on: .requests, at: time)
        lanes[.requests, default: []].append((time, block))
    }

    private var waitingBlocks: [LaneBlock] {
        lanes.keys.sorted { $0.id < $1.id }.flatMap { lane in
            let after = engine.cursor(lane)?.block ?? 0
            return lanes[lane]!.filter { $0.at <= now && $0.block.position.block > after }.map(\.block)
        }
    }

    /// When something happens next; nil if nothing ever will.
    private var nextTime: UnixMilliseconds? {
        let blocks = lanes.compactMap { lane, blocks in
            blocks.first { $0.block.position.block > engine.cursor(lane)?.block ?? 0 }?.at
        }
        return ([effects.nextTick.map { max($0 - clockError, 0) }, events.map(\.at).min()].compactMap { $0 } + blocks)
            .min()
    }

    private func read(_ outcome: EffectOutcome) throws {
        for block in outcome.appended.flatMap(\.blocks) {
            let columns = try block.columns(with: &decoder)
            for row in 0..<columns.rowCount {
                let key = String(decoding: columns[ColumnID.key]!.value(row)!, as: UTF8.self)
                let document = Data(columns[ColumnID.document]!.value(row)!)
                if let device = columns[ColumnID.device]?.integer(row), signed.contains(device) {
                    toldAfterwards.append("\(block.header.kind) \(key)")
                }
                if block.header.kind == RecordKind.grant.id {
                    grantsOnLane[key] = try JSONDecoder().decode(GrantDocument.self, from: document)
                } else if block.header.kind == RecordKind.erasureReceipt.id {
                    signed.insert(Int64(key.prefix { $0 != "/" })!)
                } else if block.header.kind == RecordKind.balance.id {
                    balancesOnLane[key] = try JSONDecoder().decode(BalanceDocument.self, from: document)
                }
            }
        }
    }

    private static func open(
        _ database: ServiceDatabase, _ settings: RewardSettings, _ dialect: EmulatedProvider.Dialect?, _ outlet: Outlet
    ) throws -> (EffectEngine, CrashingEffects, RewardDispatcherEffects) {
        outlet.open = []
        outlet.calls = []
        let rewards = try RewardDispatcherEffects(
            .qoe, database: database, settings: settings, payoutKeys: settings.needsNumber ? payoutKeys : nil,
            books: outlet, provider: dialect?.rawValue ?? "sandbox",
            callbackSecrets: dialect == nil ? nil : RewardBench.callbackSecrets, uptime: { outlet.uptime },
            carryOut: { calls in
                outlet.calls += calls
                outlet.open.formUnion(calls)
            })
        let journal = try Journal(lane: .rewards, in: database, newGeneration: { 5 })
        let effects = CrashingEffects(
            try SubjectRightsEffects(
                rewards, rewards.subjects(journal: journal), database: database, journals: [journal],
                key: RewardBench.key))
        let engine = try EffectEngine(
            database: database, reads: RewardDispatcherEffects.subscriptions(.qoe), journals: [journal],
            effects: effects)
        return (engine, effects, rewards)
    }

    /// The reference by which the provider knew a grant.
    func reference(of grant: GrantID) -> GrantID { outlet.references[grant] ?? grant }

    private static let payoutKeys = try! PayoutKeys(
        current: [UInt8](repeating: 7, count: 32), storing: [UInt8](repeating: 9, count: 32))

    private final class Outlet: ProviderBooks {
        /// By what they were replaced by.
        var references: [GrantID: GrantID] = [:]

        func replace(_ replaced: [ReplacedReference]) -> Bool {
            for one in replaced { references[one.replacement] = one.reference }
            return true
        }

        var calls: [ProviderCall] = []
        /// Made in this life and not answered.
        var open: Set<ProviderCall> = []
        var uptime = RewardBench.start
    }
}
