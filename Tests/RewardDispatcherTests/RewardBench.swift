import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import SubjectRights
import Wire

@testable import RewardDispatcher

/// An engine with the dispatcher's effects over a database in memory that outlives it.
final class RewardBench {
    static let start: UnixMilliseconds = 1_750_000_000_000

    let database: ServiceDatabase
    private(set) var engine: EffectEngine
    private(set) var effects: RewardDispatcherEffects
    private let settings: RewardSettings
    private var payoutKeys: PayoutKeys?
    private var provider: (name: String, secrets: CallbackSecrets?)
    private let books: (any ProviderBooks)?
    static let callbackSecrets = CallbackSecrets(key: [UInt8](repeating: 4, count: 32))
    static let key = ReceiptKey(secret: [UInt8](repeating: 3, count: 32), service: "reward-dispatcher")
    /// What each commit did.
    var reports: [RewardReport] { outlet.reports }
    private let outlet = Outlet()
    /// What is left with the provider.
    let news = FloatNews()
    /// What ticks put on the lane.
    private var ticked: [Block] = []
    private var numbers: [LaneName: UInt64] = [:]
    /// How far the world's clock has been set forward.
    var clockError: UnixMilliseconds = 0

    static let schedule = PaymentSchedule(
        callTimeout: 1_000, settle: 5_000, firstPause: 500, longestPause: 8_000, mostAttempts: 12)

    static func campaign(_ id: String = "built-in", amount: Int64 = 50, dailyMaximum: Int64 = 0) -> CampaignDocument {
        CampaignDocument(
            id: id, amountXAF: amount, dailyMaximum: dailyMaximum, operators: [], from: .min, to: .max, isActive: true)
    }

    init(
        _ campaign: CampaignDocument? = RewardBench.campaign(), callsAtOnce: Int = 16, payoutKeys: PayoutKeys? = nil,
        trust: TrustPolicy = .any, path: String = ":memory:", books: (any ProviderBooks)? = nil,
        schedule: PaymentSchedule = RewardBench.schedule, numberGap: UnixMilliseconds = 0, breaker: Int = 0,
        database shared: ServiceDatabase? = nil, holdsSuspected: Bool = false,
        callsBack: Bool = false
    ) throws {
        self.books = books
        var settings = RewardSettings(
            builtIn: campaign, schedule: schedule, callsAtOnce: callsAtOnce, timeZone: "Africa/Douala",
            numberGap: numberGap, trust: trust, breaker: breaker)
        settings.holdsSuspected = holdsSuspected
        self.settings = settings
        database = try shared ?? ServiceDatabase(path: path, migrations: RewardDispatcherEffects.migrations)
        provider = ("momo", callsBack ? Self.callbackSecrets : nil)
        (engine, effects) = try Self.open(database, settings, payoutKeys, provider, books, outlet, news)
        self.payoutKeys = payoutKeys
    }

    /// As after a kill: what was in memory is gone, what was committed is there.
    ///
    /// - Parameter provider: another one from now on.
    func restart(payoutKeys keys: PayoutKeys? = nil, provider name: String? = nil) throws {
        payoutKeys = keys ?? payoutKeys
        if let name { provider.name = name }
        outlet.calls = []
        (engine, effects) = try Self.open(database, settings, payoutKeys, provider, books, outlet, news)
    }

    private static func open(
        _ database: ServiceDatabase, _ settings: RewardSettings, _ payoutKeys: PayoutKeys?,
        _ provider: (name: String, secrets: CallbackSecrets?), _ books: (any ProviderBooks)?, _ outlet: Outlet,
        _ news: FloatNews
    ) throws -> (EffectEngine, RewardDispatcherEffects) {
        let effects = try RewardDispatcherEffects(
            .qoe, database: database, settings: settings, payoutKeys: payoutKeys, books: books,
            random: { outlet.random.next() },
            report: { outlet.reports.append($0) }, provider: provider.name, callbackSecrets: provider.secrets,
            news: news, uptime: { outlet.uptime },
            carryOut: { outlet.calls += $0 })
        let journal = try Journal(lane: .rewards, in: database, newGeneration: { 5 })
        let engine = try EffectEngine(
            database: database, reads: RewardDispatcherEffects.subscriptions(.qoe), journals: [journal],
            effects: SubjectRightsEffects(
                effects, effects.subjects(journal: journal), database: database, journals: [journal], key: key))
        return (engine, effects)
    }

    @discardableResult
    func give(_ rows: [Given], on lane: LaneName = .batch, at now: UnixMilliseconds = start) throws -> EffectOutcome {
        numbers[lane, default: 0] += 1
        return try engine.step([Given.block(numbers[lane]!, rows, on: lane)], now: now)
    }

    /// The number of the next block on a lane.
    func nextNumber(on lane: LaneName) -> UInt64 {
        numbers[lane, default: 0] += 1
        return numbers[lane]!
    }

    @discardableResult
    func take(_ block: LaneBlock) throws -> EffectOutcome { try engine.step([block], now: Self.start) }

    /// The provider calls back; nil is a call that nobody can read.
    @discardableResult
    func callBack(_ callbacks: [ProviderCallbackDocument?], at now: UnixMilliseconds = start) throws -> EffectOutcome {
        let columns = Columns(
            rowCount: callbacks.count,
            columns: [
                Column(id: ColumnID.receivedAt, values: callbacks.map { _ in now }),
                Column(
                    id: ColumnID.document,
                    strings: try callbacks.map { try $0.map { Array(try JSONEncoder().encode($0)) } ?? [0x7B] }),
            ])
        let number = nextNumber(on: .requests)
        return try engine.step(
            [Given.block(number, .providerCallback, columns, on: .requests, at: now)], now: now)
    }

    /// A campaign on the `operations` lane; nil removes it.
    func publish(_ id: String, _ campaign: CampaignDocument?, text: String? = nil) throws {
        numbers[.operations, default: 0] += 1
        let document = try text.map { Array($0.utf8) } ?? campaign.map { Array(try JSONEncoder().encode($0)) }
        let columns = Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.key, strings: [Array(id.utf8)]),
                Column(id: ColumnID.document, strings: [document]),
            ])
        let block = try Given.block(
            numbers[.operations]!, .campaign, columns, on: .operations, at: Self.start)
        try engine.step([block], now: Self.start)
    }

    /// - Parameter now: what a clock would show that was never set.
    @discardableResult
    func tick(_ now: UnixMilliseconds) throws -> EffectOutcome {
        outlet.uptime = now
        let outcome = try engine.step([], now: now + clockError)
        ticked += outcome.appended.flatMap(\.blocks)
        return outcome
    }

    /// The calls made since the last time.
    func takeCalls() -> [ProviderCall] {
        defer { outlet.calls = [] }
        return outlet.calls
    }

    /// How the provider was told to be, in the order in which it was told.
    func providerStates() throws -> [ProviderStateDocument] { try told(.providerState) }

    /// The documents of a kind that ticks told, in their order.
    func told<Document: Decodable>(_ kind: RecordKind) throws -> [Document] {
        var decoder = ColumnDecoder(), told: [Document] = []
        for block in ticked where block.header.kind == kind.id {
            let columns = try block.columns(with: &decoder)
            for row in 0..<columns.rowCount {
                guard let text = columns[ColumnID.document]?.value(row) else { continue }
                told.append(try JSONDecoder().decode(Document.self, from: Data(text)))
            }
        }
        return told
    }

    func number(_ sql: String) throws -> Int64 { try database.read { try Int64.fetchOne($0, sql: sql) ?? 0 } }

    func texts(_ sql: String) throws -> [String] { try database.read { try String.fetchAll($0, sql: sql) } }

    func states() throws -> [GrantState] {
        try database.read { try String.fetchAll($0, sql: "SELECT state FROM grants ORDER BY device, record") }
            .compactMap(GrantState.init)
    }

    func total(_ kind: LedgerAccount.Kind) throws -> Int64 { try database.read { try Ledger().total(kind, $0) } }

    func refusals() -> [GrantRefusal: Int] {
        outlet.reports.reduce(into: [:]) { sums, report in sums.merge(report.refusals) { $0 + $1 } }
    }

    private final class Outlet {
        var calls: [ProviderCall] = []
        var reports: [RewardReport] = []
        var uptime = RewardBench.start
        var random = SplitMix64(seed: 11)
    }
}
