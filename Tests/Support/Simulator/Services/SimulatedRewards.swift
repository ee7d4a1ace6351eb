import Foundation
import GRDB
import Lanes
import Models
import QoE
import RewardDispatcher
import Storage
import Wire

/// The money of a run: what surrounds the reward dispatcher, and what the model says about each of its commits.
final class SimulatedRewards {
    static let builtIn = ReferenceCampaign(
        id: "built-in", amount: 50, dailyMaximum: 2, networks: [], isActive: true)

    let provider: SimulatedProvider
    private unowned let simulation: Simulation
    private(set) var model: ReferenceRewards
    /// Blocks that were applied, by lane.
    private(set) var appliedBlocks: [LaneName: Set<UInt64>] = [:]
    /// Grants that were settled, by device and record; kept in worlds in which their links go.
    private(set) var settlements: [String: BackedUpKnowledge.Settlement] = [:]
    private var database: ServiceDatabase?
    private var current: RewardDispatcherEffects?
    private var decoder = ColumnDecoder()
    private var register = PaymentRegister()
    /// Grants that were paid when the home was lost, and did not say so in its backup.
    private var paidBeforeLoss: Set<String> = []
    /// The dispatcher's thread, to be told that an answer waits.
    var wake: () -> Void = {}
    /// True if the dispatcher dies after the commit that it is in.
    var isDying: () -> Bool = { false }

    init(in simulation: Simulation) {
        self.simulation = simulation
        model = ReferenceRewards(builtIn: Self.builtIn, trust: simulation.rewardTrust)
        provider = SimulatedProvider(in: simulation)
    }

    /// The dispatcher starts: answers to calls of its life before find nobody.
    func effects(_ database: ServiceDatabase) throws -> RewardDispatcherEffects {
        self.database = database
        let settings = RewardSettings(
            builtIn: Self.builtIn.document, schedule: SimulatedProvider.schedule, callsAtOnce: 3,
            timeZone: "Africa/Douala", numberGap: SimulatedProvider.numberGap,
            trust: TrustPolicy(simulation.rewardTrust))
        let clock = simulation.clock
        let effects = try RewardDispatcherEffects(
            .qoe, database: database, settings: settings,
            payoutKeys: simulation.payouts == nil ? nil : SimulatedPayouts.keys, books: provider,
            random: { [unowned simulation] in simulation.random.next() },
            // A machine that sleeps does not count the time.
            uptime: { [unowned simulation] in clock.now - simulation.slept },
            carryOut: { [unowned self] calls in
                // Some who die after a commit have not called anybody yet.
                if isDying() && simulation.random.chance(500) { return }
                for call in calls { make(call) }
            })
        current = effects
        return effects
    }

    /// The dispatcher has committed the effects of blocks, or of time and answers alone.
    func applied(_ blocks: [LaneBlock]) throws {
        for block in blocks {
            appliedBlocks[block.lane, default: []].insert(block.position.block)
            try hear(block)
        }
        try database?.read { db in
            try RewardCheck(provider: provider, db: db).always()
            if simulation.retention != nil { try noteSettlements(db) }
        }
        if simulation.home != nil { try checkLives() }
    }

    /// Nobody is paid twice for the same in two lives of a home.
    private func checkLives() throws {
        try database?.read { db in
            try register.note(db)
            guard !paidBeforeLoss.isEmpty else { return }
            let confirmed = try String.fetchSet(db, sql: "SELECT id FROM grants WHERE state = 'confirmed'")
            if !confirmed.isDisjoint(with: paidBeforeLoss) { simulation.note(.paidInLostLife) }
        }
        try register.check(provider.payouts)
    }

    /// What the run knows of it, for a backup.
    var knowledge: BackedUpKnowledge.OfRewards {
        .init(
            model: model, appliedBlocks: appliedBlocks, settlements: settlements, replaced: provider.replacedCount)
    }

    /// The dispatcher is lost with its home; what was paid is paid.
    ///
    /// - Parameter database: of the restored home.
    func goBack(to knowledge: BackedUpKnowledge.OfRewards, in database: ServiceDatabase) throws {
        (model, appliedBlocks, current) = (knowledge.model, knowledge.appliedBlocks, nil)
        settlements = knowledge.settlements
        self.database = database
        provider.goBack(to: knowledge.replaced)
        let known = try database.read {
            try String.fetchSet($0, sql: "SELECT id FROM grants WHERE state = 'confirmed'")
        }
        paidBeforeLoss = Set(provider.payouts.keys).subtracting(known)
    }

    /// Grants that the model expects and whose subjects are not forgotten yet.
    func expected(_ model: ReferenceModel) -> [ReferenceRewards.Grant] {
        self.model.grants.filter { grant in
            settlements["\(grant.device) \(grant.record)"].map { model.keeps("reward_links", of: $0.at) } ?? true
        }
    }

    /// What a device was paid, whether its links are still there or not.
    func paid(to device: Int) -> Int {
        settlements.values.reduce(0) { $0 + ($1.device == device ? $1.paid : 0) }
    }

    private func noteSettlements(_ db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT device, lower(hex(record)), state, amount FROM grants
                WHERE device <> 0 AND state IN ('confirmed', 'rejected')
                """)
        for row in rows {
            let device: Int = row[0], key = "\(device) \(StoredRawRow.hyphenated(row[1]))"
            guard settlements[key] == nil else { continue }
            settlements[key] = BackedUpKnowledge.Settlement(
                device: device, at: Int(simulation.clock.now), paid: (row[2] as String) == "confirmed" ? row[3] : 0)
        }
    }

    private func make(_ call: ProviderCall) {
        let life = current
        var isAnswered = false
        provider.make(call) { [self] answer in
            guard !isAnswered, let life, life === current else { return }
            isAnswered = true
            life.answers.add(answer, to: call)
            wake()
        }
    }

    private func hear(_ block: LaneBlock) throws {
        let columns = try block.block.columns(with: &decoder)
        for row in 0..<columns.rowCount {
            if block.block.header.kind == RecordKind.campaign.id {
                guard let key = columns[ColumnID.key]?.value(row) else { continue }
                let document = try columns[ColumnID.document]?.value(row).map {
                    ReferenceCampaign(try JSONDecoder().decode(CampaignDocument.self, from: Data($0)))
                }
                model.hear(document, id: String(decoding: key, as: UTF8.self))
            } else if block.block.header.kind == RecordKind.feedback.id {
                let one = StoredRawRow(.feedback, columns, row)
                guard let row = simulation.row(device: one.device, id: one.id) else {
                    throw SimulationFailure("the dispatcher heard of feedback nobody accepted: \(one)")
                }
                model.hear(row)
            }
        }
    }
}
