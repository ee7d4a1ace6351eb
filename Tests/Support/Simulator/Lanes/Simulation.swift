import Models
import QoE
import ServiceKit
import Storage
import Wire

/// What all parts of one run share: time, chance, faults, lanes, and the model that is told of every commit.
///
/// Confined to one thread.
final class Simulation {
    /// What everything follows from.
    let seed: UInt64
    let clock: VirtualClock
    let timeline: Timeline
    var random: SeededRandom
    /// What happens to heartbeats of lanes; of its own, so that what is drawn here shifts nothing else of a seed.
    var heartbeats: SeededRandom
    var faults: FaultPlan
    /// Where databases are; nil: in memory.
    let home: SimulatedHome?
    let isCalmFromTheStart: Bool
    let sealer: BlockSealer?
    /// A lane on which a newer version of a kind comes up in this run.
    let upgradedLane: LaneName?
    /// Whose records count in alarms and for rewards.
    let alarmTrust: ReferenceTrustPolicy
    /// What is kept for how long, and when days pass; nil: everything, and none.
    let retention: RetentionPlan?
    /// Who asks for a copy of everything; nil: nobody.
    let access: AccessPlan?
    /// Which rules of alarms are set and removed; nil: none, and nobody runs rules.
    let rules: RulesPlan?
    /// Which channels are told of alarms; nil: none, and there is no notifier.
    let channels: ChannelsPlan?
    /// How releases are made; nil: none are.
    let releases: ReleasesPlan?
    /// Who says where rewards go; nil: nobody, and the dispatcher takes no numbers.
    let payouts: PayoutPlan?
    let rewardTrust: ReferenceTrustPolicy
    /// What devices have behind them, by their numbers from 1.
    let pasts: [SimulatedPast]
    var model: ReferenceModel
    private(set) var lanes: [LaneName: SimulatedLane] = [:]
    /// Numbers of the blocks with feedback that ingest wrote.
    var feedbackBlocks: [LaneName: Set<UInt64>] = [:]
    /// Numbers of the blocks with records of phones that ingest wrote.
    var recordBlocks: [LaneName: Set<UInt64>] = [:]
    /// Numbers of the blocks of `requests` with payout numbers.
    var payoutBlocks: Set<UInt64> = []
    /// What was accepted and then lost with ingest's database.
    var forgottenRows: [ReferenceRow] = []
    /// Erasures that were taken.
    var requestedErasures: Set<String> = []
    /// All that ever were, in all lives of a home.
    var takenErasures: [String: TakenErasure] = [:]
    /// Rows that were lost with a home.
    var lostRows: Set<String> = []
    /// Numbers of alert messages where homes were restored.
    var alertNumbers = AlertNumbers()
    /// The numbers of all alarms that there were.
    var episodes = AlarmEpisodes()
    /// Everybody sleeps for about as long as an alarm lasts, while phones still send.
    let pauses: [PausePlan]
    /// Places that clients of the exporter count by.
    var places = GivenPlaces()
    /// Milliseconds that were slept through.
    private(set) var slept: Int64 = 0
    /// When everybody last woke.
    private(set) var wokenAt = Int64.min
    /// The rare things that happened.
    private(set) var events: Set<SimulatedEvent> = []

    /// - Parameters:
    ///   - start: begin of the run, Unix milliseconds.
    ///   - span: how long phones send, milliseconds.
    init(seed: UInt64, start: Int64, span: Int64) throws {
        self.seed = seed
        var random = SeededRandom(seed: seed)
        // Of its own, so that what is drawn here shifts nothing else of a seed.
        var trust = SeededRandom(seed: ~seed)
        alarmTrust = trust.pick([.any, .any, .any, .aged, .trusted])
        rewardTrust = trust.pick([.any, .any, .any, .aged, .trusted])
        pasts = (0..<32).map { _ in SimulatedPast(&trust, span: span) }
        clock = VirtualClock(start: start)
        timeline = Timeline(clock: clock)
        var faults = FaultPlan(&random), losses = SeededRandom(seed: seed &* 41 &+ 13)
        faults.drawHomeRestore(&losses)
        self.faults = faults
        home = try faults.homeRestore.map { _ in try SimulatedHome() }
        isCalmFromTheStart = faults.isCalm
        upgradedLane = faults.upgradedLane
        let isHomeLost = faults.homeRestore != nil
        retention = faults.restores ? nil : RetentionPlan(seed: seed, span: span, isHomeLost: isHomeLost)
        access =
            faults.restores
            ? nil : AccessPlan(seed: seed, phones: RandomWorld.phones, span: span, isHomeLost: isHomeLost)
        pauses = faults.restores || isHomeLost || retention != nil ? [] : PausePlan.random(seed: seed, span: span)
        rules = faults.restores || isHomeLost || retention != nil ? nil : RulesPlan(seed: seed, span: span)
        let passesTime = retention != nil || rules != nil || !pauses.isEmpty || access?.endsCopies == true
        releases = passesTime && !isHomeLost && !faults.restores ? ReleasesPlan(seed: seed) : nil
        channels = rules == nil ? nil : ChannelsPlan(seed: seed, span: span)
        payouts = PayoutPlan(seed: seed, phones: RandomWorld.phones, span: span)
        model = ReferenceModel(
            urgentPerMinute: SimulationSettings.urgentPerMinute, alarmTrust: alarmTrust,
            retention: retention.map { ReferenceRetention(days: $0.days) })
        sealer = faults.isSealed ? BlockSealer(key: (0..<32).map { UInt8($0) }) : nil
        self.random = random
        heartbeats = SeededRandom(seed: seed &* 59 &+ 7)
        for lane in LaneName.allCases {
            lanes[lane] = SimulatedLane(lane, in: self)
        }
    }

    /// What a device has behind it when it enrols; nil: nothing.
    func past(of device: UInt64) -> SimulatedPast? {
        device <= pasts.count ? pasts[Int(device) - 1] : nil
    }

    func note(_ event: SimulatedEvent) {
        events.insert(event)
    }

    func note(_ several: Set<SimulatedEvent>) {
        events.formUnion(several)
    }

    /// The present home came out of a backup.
    var isRestored: Bool { home.map { $0.count > 1 } ?? false }

    /// Everybody sleeps until then; what is due is found out when they wake.
    func sleep(until moment: Int64) {
        guard moment > clock.now else { return }
        slept += moment - clock.now
        timeline.sleep(for: moment - clock.now)
        wokenAt = clock.now
    }

    /// Notes which blocks of a commit hold feedback or payout numbers.
    func noteBlocks(_ blocks: [LaneName: [Block]]) {
        for (lane, blocks) in blocks {
            let numbers = blocks.filter { $0.header.kind == RecordKind.feedback.id }.map(\.header.number)
            feedbackBlocks[lane, default: []].formUnion(numbers)
            let kinds = [RecordKind.report.id, RecordKind.feedback.id]
            recordBlocks[lane, default: []].formUnion(
                blocks.map(\.header).filter { kinds.contains($0.kind) }.map(\.number))
        }
        let requests = (blocks[.requests] ?? []).map(\.header).filter { $0.kind == RecordKind.payout.id }
        payoutBlocks.formUnion(requests.map(\.number))
    }

    /// The row of a record that was accepted at some time.
    func row(device: Int, id: String) -> ReferenceRow? {
        (model.rows + model.erasedRows + forgottenRows).first { $0.device == device && $0.id == id }
    }

    /// The path of a service's database.
    func path(_ service: String, _ file: String) -> String {
        home.map { "\($0.current.path)/\(service)/\(file)" } ?? ":memory:"
    }

    /// A delay on the way, or of a thread, in milliseconds.
    func pause() -> Int {
        random.below(faults.longestDelay + 1)
    }
}
