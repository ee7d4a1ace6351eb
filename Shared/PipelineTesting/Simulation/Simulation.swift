import Lanes
import Models
import Storage

/// One run: phones, ingest, lanes and readers in virtual time, with everything going wrong that the seed says.
///
/// Confined to one thread. ``run()`` throws at the first promise that is not kept.
final class Simulation {
    private static let start: Int64 = 1_772_600_000_000
    private static let span: Int64 = 9_000
    /// Virtual milliseconds after the last act in which everything must have arrived.
    private static let patience: Int64 = 60_000

    let clock: VirtualClock
    let timeline: Timeline
    var random: SeededRandom
    private(set) var weather: Weather
    let isCalmFromTheStart: Bool
    let sealer: BlockSealer?
    var model = ReferenceModel()
    var lanes: [LaneName: SimulatedLane] = [:]
    private var ingest: SimulatedIngest!
    private var services: SimulatedServices!
    private let world: RandomWorld
    private var acknowledged: Set<Int> = []
    /// What had been accepted when ingest's database was replaced by an older copy.
    private var acceptedBeforeRestore: [ReferenceRow]?

    init(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        clock = VirtualClock(start: Self.start)
        timeline = Timeline(clock: clock)
        weather = Weather(&random)
        isCalmFromTheStart = weather.isCalm
        sealer = weather.isSealed ? BlockSealer(key: (0..<32).map { UInt8($0) }) : nil
        world = RandomWorld(seed: random.next(), start: Self.start, span: Self.span)
        self.random = random
        for lane in [LaneName.realtime, .batch, .requests, .alerts, .rollups] { lanes[lane] = SimulatedLane(lane, in: self) }
        ingest = try SimulatedIngest(in: self)
        services = try SimulatedServices(in: self)
    }

    /// Runs to the end and compares.
    func run() throws {
        try ingest.start()
        try services.start()
        for index in world.uploads.indices { timeline.at(world.uploads[index].sendAt) { [self] in send(index) } }
        planTroubles()
        timeline.at(Self.start + Self.span + 3000) { [self] in
            weather.clear()
            ingest.disarm()
            services.disarm()
        }
        while !isSettled {
            guard clock.now < Self.start + Self.span + Self.patience, try timeline.step() else {
                if let acceptedBeforeRestore { try services.compareAfterRestore(acceptedBeforeRestore) }
                throw SimulationFailure("does not come to rest: \(services.standing), \(unacknowledged) uploads unanswered")
            }
        }
        if let acceptedBeforeRestore { return try services.compareAfterRestore(acceptedBeforeRestore) }
        try services.compare(model)
    }

    /// A delay on the way, or of a thread.
    func pause() -> Int {
        random.below(weather.longestDelay + 1)
    }

    /// Readers the journal of a lane waits for from the beginning.
    func readers(of lane: LaneName) -> [ReaderRegistration] {
        services.readers(of: lane)
    }

    private var unacknowledged: Int { world.uploads.count - acknowledged.count }

    private var isSettled: Bool {
        let lastAct = Self.start + Self.span + 3000
        // Readers that have stopped hold their blocks back, so that a small journal may rightly stay full.
        guard acceptedBeforeRestore == nil else { return clock.now > lastAct + 10_000 && services.haveStopped }
        return unacknowledged == 0 && clock.now > lastAct && services.areCaughtUp
    }

    private func send(_ index: Int) {
        guard !acknowledged.contains(index) else { return }
        let upload = world.uploads[index]
        let sentAt = upload.clockError.map { clock.now + $0 }
        timeline.after(1 + pause()) { [self] in
            try ingest.receive(index, upload, sentAt: sentAt) { [self] isFinal in
                let isLost = random.chance(isCalmFromTheStart ? 0 : 80)
                if isLost { return }
                timeline.after(1 + pause()) { [self] in
                    if isFinal { acknowledged.insert(index) }
                }
            }
        }
        timeline.after(random.within(1200...4000)) { [self] in send(index) }
    }

    private func planTroubles() {
        for _ in 0..<weather.crashes {
            timeline.at(someTime()) { [self] in
                let commits = random.pick([0, 0, 1, 2]), afterwards = random.chance(400)
                switch random.below(5) {
                case 0: ingest.arm(commits: commits, afterwards: afterwards)
                case 1: ingest.die()
                case let other: services.trouble(other, commits: commits, afterwards: afterwards)
                }
            }
        }
        for _ in 0..<weather.absences {
            timeline.at(someTime()) { [self] in services.cutOne(for: random.within(500...6000)) }
        }
        if weather.restores { planRestore() }
    }

    private func planRestore() {
        let saved = Self.start + Int64(random.within(3000...6000))
        timeline.at(saved) { [self] in
            let copy = try ingest.copy(), modelThen = model
            let away = random.chance(600)
            timeline.after(random.within(200...2500)) { [self] in
                // A reader that has read nothing yet rightly begins with the new generation.
                guard services.haveAllBegun else { return }
                acceptedBeforeRestore = model.rows
                model = modelThen
                if away { services.cutAll(for: random.within(2000...6000)) }
                try ingest.restore(copy)
            }
        }
    }

    private func someTime() -> Int64 { Self.start + Int64(random.below(Int(Self.span))) }
}
