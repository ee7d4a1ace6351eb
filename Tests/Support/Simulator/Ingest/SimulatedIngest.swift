import GRDB
import IngestCommands
import IngestCommit
import IngestSupport
import IngestUploads
import Lanes
import Logging
import Models
import QoE
import ServiceKit
import Storage
import SubjectRights

/// Ingest: the product's parser, engine and journals, with its threads simulated. Each commit is shown to the model, and
/// each answer is compared with what the model says.
final class SimulatedIngest {
    /// A backup: the database, and whom it knows.
    struct Copy {
        let database: ServiceDatabase
        let devices: [UInt64: DeviceIdentity]
    }

    static let lanes: [LaneName] = [.realtime, .batch, .requests]
    static let erasureKeys = ErasureKeys(secret: SimulationSettings.secret)
    /// Readers the journal of a lane waits for from the beginning.
    private static func readers(of lane: LaneName) -> [ReaderRegistration] {
        let names =
            switch lane {
            case .realtime: ["alert-router", "batch-aggregator", "analytics-exporter"]
            case .batch: ["batch-aggregator", "analytics-exporter"]
            case .requests: ["privacy-worker"]
            default: [String]()
            }
        return names.map { ReaderRegistration(name: $0) }
    }

    private static let parser = UploadReader(.qoe, scratches: 4)
    private static let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }

    private(set) var database: ServiceDatabase
    private var crashPoint: CrashPoint
    private unowned let simulation: Simulation
    private let witness: IngestChecker
    private var engine: IngestEngine?
    private var journals: [Journal] = []
    private var queue: [SimulatedRequest] = []
    /// The directory of devices: what requests are read by.
    private var devices: [UInt64: DeviceIdentity] = [:]
    private(set) var life = 0
    private(set) var livesBefore = 0
    /// Its files are those of its home.
    private(set) var hasTakenIn = false
    private var diesAfterCommit = false
    private var isUpgraded = false
    /// Requests of which nothing is left in the copies, as they say when they are asked.
    var cleanCopies: () throws -> [String] = { [] }
    /// Retention orders that the copies have executed, likewise.
    var retainedCopies: () throws -> [RetentionOutcome] = { [] }
    private let strangers: SimulatedStrangers

    init(_ strangers: SimulatedStrangers, in simulation: Simulation) throws {
        self.simulation = simulation
        self.strangers = strangers
        witness = IngestChecker(in: simulation)
        database = try ServiceDatabase(
            path: simulation.path("ingest", "state.sqlite"), migrations: IngestSchema.migrations)
        try SimulatedPast.install(simulation.pasts, in: database)
        crashPoint = try CrashPoint(on: database)
    }

    // MARK: Life and death

    /// True while somebody answers phones.
    var isUp: Bool { engine != nil }

    func start() throws {
        guard engine == nil else { return }
        life += 1
        do { try open() } catch is SimulatedCrash {
            if simulation.isRestored, !hasTakenIn { simulation.note(.serviceKilledInRestore) }
            die()
        }
    }

    private func open() throws {
        if let home = simulation.home?.current { try home.settle(database, also: IngestEngine.takeIn) }
        journals = try Self.lanes.map { lane in
            let faults = simulation.faults
            let limits = LaneLimits(
                maximumBytes: faults.journalLimit, retention: 0, optionalReaderBytes: faults.optionalReaderBytes)
            return try Journal(
                lane: lane, in: database, limits: limits, readers: Self.readers(of: lane),
                sealer: simulation.sealer,
                newGeneration: { simulation.random.next() >> 1 | 1 })
        }
        engine = try IngestEngine(
            database: database, realtime: journals[0], batch: journals[1], requests: journals[2],
            keys: Self.erasureKeys, urgentPerMinute: SimulationSettings.urgentPerMinute, now: simulation.clock.now)
        if let home = simulation.home?.current {
            try engine?.takeOrdersSince(in: home, deadline: 1_000, now: simulation.clock.now, Self.logger)
        }
        hasTakenIn = true
        simulation.model.ingestEnded()
        for journal in journals {
            simulation.lanes[journal.lane]?.open(
                journal, in: database, sealer: simulation.sealer, isUpgraded: isUpgraded)
        }
        try engine?.copiesAreClean(of: cleanCopies())
        try retain(retainedCopies())
        let life = life
        simulation.timeline.after(simulation.pause()) { [self] in try tick(life) }
        planErasure()
        planRetention()
    }

    // MARK: Erasure

    /// The copies have nothing left of the subjects of requests. Who is away hears it when it starts.
    func copiesAreClean(of requests: [String]) throws {
        guard let engine else { return }
        do { try engine.copiesAreClean(of: requests) } catch is SimulatedCrash { return die() }
        planErasure()
    }

    /// Slices go between commits, as long as there is work.
    private func planErasure() {
        let life = life
        simulation.timeline.after(1 + simulation.pause()) { [self] in
            guard self.life == life, let engine, engine.hasErasureWork(now: simulation.clock.now) else {
                return
            }
            do {
                let blocks = try engine.eraseSlice(now: simulation.clock.now)
                for (lane, through) in engine.takeRewritten() {
                    try simulation.lanes[lane]!.handle(.rewritten(through: through))
                }
                if diesAfterCommit { return die() }
                if !blocks.isEmpty { try simulation.lanes[.requests]!.handle(.committed(blocks)) }
            } catch is SimulatedCrash { return die() }
            planErasure()
        }
    }

    // MARK: Retention

    /// The copies have executed orders. Who is away hears it when it starts.
    func retain(_ outcomes: [RetentionOutcome]) throws {
        guard let engine, !outcomes.isEmpty else { return }
        do { try engine.retain(outcomes) } catch is SimulatedCrash { return die() }
        planRetention()
    }

    /// Slices go between commits, as those of erasures do.
    private func planRetention() {
        guard let engine, engine.hasRetentionWork(now: simulation.clock.now) else { return }
        let life = life
        simulation.timeline.after(1 + simulation.pause()) { [self] in
            guard self.life == life, let engine = self.engine, engine.hasRetentionWork(now: simulation.clock.now) else {
                return
            }
            do {
                let blocks = try engine.retainSlice(now: simulation.clock.now)
                if diesAfterCommit { return die() }
                if !blocks.isEmpty { try simulation.lanes[.requests]!.handle(.committed(blocks)) }
            } catch is SimulatedCrash { return die() }
            planRetention()
        }
    }

    func arm(commits: Int, afterwards: Bool) {
        if afterwards { diesAfterCommit = true } else { crashPoint.arm(after: commits) }
    }

    func disarm() {
        diesAfterCommit = false
        crashPoint.disarm()
    }

    func die() { die(for: simulation.random.within(20...1500)) }

    /// Everything in memory is gone; starts again after so many milliseconds.
    private func die(for milliseconds: Int) {
        disarm()
        engine = nil
        journals = []
        queue = []
        for lane in Self.lanes { simulation.lanes[lane]?.close() }
        simulation.timeline.after(milliseconds) { [self] in try start() }
    }

    /// Ends, and comes back as a newer program.
    func upgrade() {
        isUpgraded = true
        die()
    }

    /// A copy as of now.
    func copy() throws -> Copy {
        Copy(database: try DatabaseCopy.make(of: database, migrations: IngestSchema.migrations), devices: devices)
    }

    /// Dies and comes back with an older copy of its database, as an operator would restore it: with new generations.
    func restore(_ copy: Copy) throws {
        die()
        database = copy.database
        devices = copy.devices
        try SimulatedPast.install(simulation.pasts, in: database)
        crashPoint = try CrashPoint(on: database)
        for lane in Self.lanes {
            let journal = try Journal(lane: lane, in: database, sealer: simulation.sealer)
            let generation = simulation.random.next() >> 1 | 1
            try database.write { try journal.renewGeneration($0, to: generation) }
        }
    }

    // MARK: Home

    /// What the run knows of it, for a backup.
    var knowledge: BackedUpKnowledge.OfIngest {
        .init(
            model: simulation.model, devices: devices, receipts: witness.given,
            feedbackBlocks: simulation.feedbackBlocks, payoutBlocks: simulation.payoutBlocks,
            erasures: simulation.requestedErasures)
    }

    /// Dies with its home, and comes back after so many milliseconds in the present one.
    ///
    /// - Parameters:
    ///   - known: devices whose tokens are worth anything there.
    ///   - commits: it dies again before the commit that follows so many.
    func move(
        to knowledge: BackedUpKnowledge.OfIngest, known: [UInt64: DeviceIdentity], after milliseconds: Int,
        dyingAfter commits: Int?
    ) throws {
        die(for: milliseconds)
        database = try ServiceDatabase(
            path: simulation.path("ingest", "state.sqlite"), migrations: IngestSchema.migrations)
        crashPoint = try CrashPoint(on: database)
        (devices, witness.given) = (known, knowledge.receipts)
        (livesBefore, hasTakenIn) = (life, false)
        if let commits { crashPoint.arm(after: commits) }
    }

    /// True if a device's token is nobody's: it enrolled in a life that was lost.
    func isStranger(_ device: UInt64) -> Bool {
        simulation.isRestored && engine != nil && devices[device] == nil
            && !simulation.model.erased.contains(Int(device))
    }

    // MARK: Requests

    /// An upload arrived: it is read by what is known of its device, and waits for a commit.
    func read(
        _ index: Int, _ upload: SimulatedUpload, of number: UInt64, sentAt: Int64?,
        answer: @escaping (_ isFinal: Bool) -> Void
    ) throws {
        guard engine != nil else { return }
        // A device that a restored copy does not know has a token that is nobody's.
        guard let device = devices[number] else { return answer(true) }
        let now = simulation.clock.now
        let request = UploadRequest(
            kind: upload.records[0].kind == "feedback" ? .feedback : .report, idempotencyKey: upload.key,
            sentAt: sentAt, arrivedAt: now, listsAll: true)
        let body = Array(("[" + upload.records.map(\.json).joined(separator: ",") + "]").utf8)
        do {
            let parsed = try body.withUnsafeBytes { try Self.parser.read($0, of: device, as: request) }
            take(
                .upload(
                    SimulatedReading(
                        index: index, device: number, records: upload.records, parsed: parsed,
                        purposes: device.consent.names, readAt: now, trust: simulation.model.trust(of: Int(number)),
                        name: "\(number) \(request.kind.name) " + (upload.key ?? String(decoding: body, as: UTF8.self)),
                        clockOffset: sentAt.map { Int(now - $0) } ?? 0), answer: answer))
        } catch let problem as DeviceAPIError {
            try witness.refused(upload, index, of: number, with: problem)
            answer(true)
        }
    }

    /// Something waits for the next commit, which may be held up for a while.
    func take(_ request: SimulatedRequest) {
        guard engine != nil else { return }
        queue.append(request)
        guard queue.count == 1 else { return }
        let life = life
        let held = simulation.random.chance(200) ? simulation.random.within(10...200) : simulation.random.within(0...3)
        simulation.timeline.after(held) { [self] in
            if self.life == life { try commit() }
        }
    }

    private func commit() throws {
        guard let engine else { return }
        let waiting = queue
        queue = []
        let now = simulation.clock.now
        let full = IngestChecker.Fullness(
            realtime: journals[0].isFull, batch: journals[1].isFull, requests: journals[2].isFull)
        if full.batch { simulation.note(.journalFull) }
        let uploads = waiting.compactMap(\.upload)
        let early = simulation.random.chance(300) ? simulation.random.within(0...uploads.count) : uploads.count
        let outcome: IngestOutcome
        do {
            outcome = try engine.commit(
                Array(uploads[..<early]),
                commands: waiting.compactMap { $0.command(&simulation.random, now: now) },
                now: now, late: { Array(uploads[early...]) })
        } catch is SimulatedCrash {
            return die()
        }
        if !outcome.answers(to: ErasureChange.self).isEmpty { planErasure() }
        if outcome.deferred > 0 { simulation.note(.urgentDeferred) }
        let answers = try check(waiting, outcome, full, now)
        simulation.noteBlocks(outcome.blocks)
        if diesAfterCommit { return die() }
        for lane in Self.lanes {
            if let blocks = outcome.blocks[lane], !blocks.isEmpty {
                try simulation.lanes[lane]!.handle(.committed(blocks))
            }
        }
        for answer in answers { answer() }
    }

    /// Compares everything that was answered, in the order in which it must have been done.
    private func check(
        _ waiting: [SimulatedRequest], _ outcome: IngestOutcome, _ full: IngestChecker.Fullness, _ now: Int64
    ) throws -> [() -> Void] {
        var answers: [() -> Void] = []
        var erased = outcome.answers(to: ErasureChange.self)[...]
        for case .erasure(let number, let erasure, let answer) in waiting {
            guard try witness.erased(erased.removeFirst(), erasure, of: number, full, now) else { continue }
            // Its token is nobody's from now on.
            if erasure.isEverything { devices[number] = nil }
            answers.append(answer)
        }
        var enrolled = outcome.answers(to: Enrolment.self)[...]
        var consents = outcome.answers(to: ConsentChange.self)[...], receipts = outcome.receipts[...]
        for case .enrolment(let purposes, let answer) in waiting {
            guard let device = try witness.enrolled(enrolled.removeFirst(), purposes, full, now) else { continue }
            devices[device.ordinal] = device
            answers.append { answer(device.ordinal) }
        }
        for case .consent(let number, let purposes, let answer) in waiting {
            guard devices[number] != nil else {
                consents.removeFirst()
                if simulation.model.erased.contains(Int(number)) { answers.append(answer) }
                continue
            }
            let change = try witness.changed(consents.removeFirst(), of: number, purposes, full, now)
            if let device = change.device { devices[number] = device }
            if change.isFinal { answers.append(answer) }
        }
        var payouts = outcome.answers(to: PayoutChange.self)[...]
        for case .payout(let number, _, let payout, let answer) in waiting {
            let result = payouts.removeFirst()
            guard devices[number] != nil else {
                guard case .failure = result else {
                    throw SimulationFailure("device \(number) is nobody, and its payout number is taken")
                }
                if simulation.model.erased.contains(Int(number)) { answers.append(answer) }
                continue
            }
            if try witness.paid(result, to: payout, of: number, full) { answers.append(answer) }
        }
        for case .upload(let reading, let answer) in waiting {
            let receipt = receipts.removeFirst()
            if let trust = try? receipt.get().trust { devices[reading.device]?.learn(trust) }
            let isFinal = try witness.received(reading, receipt, full, now)
            answers.append { answer(isFinal) }
        }
        // What was accepted in this commit comes before the barrier.
        var accesses = outcome.answers(to: AccessChange.self)[...]
        for case .access(let number, let access, let answer) in waiting {
            guard let request = try witness.asked(accesses.removeFirst(), access, of: number, full, now) else {
                continue
            }
            answers.append { answer(request.isEmpty ? nil : request) }
        }
        return answers
    }

    private func tick(_ life: Int, beat: Int = 0) throws {
        guard self.life == life, let engine else { return }
        let now = simulation.clock.now
        planErasure()
        planRetention()
        var progress: [LaneName: [ReaderProgress]] = [:]
        do {
            if beat % 3 == 2 {
                for lane in Self.lanes { progress[lane] = simulation.lanes[lane]?.takeProgress() }
                let failures = strangers.take()
                let done = try engine.maintain(progress, failures: failures, now: now)
                for failure in failures { strangers.note(failure, at: "ingest") }
                if done.values.contains(where: { !$0.detached.isEmpty }) { simulation.note(.optionalReaderDetached) }
            }
        } catch is SimulatedCrash {
            return die()
        }
        for journal in journals {
            try simulation.lanes[journal.lane]?.handle(.trimmed(oldest: journal.oldest, tombstonesGone: 0))
            try simulation.lanes[journal.lane]?.handle(.tick(now: now, time: now))
        }
        simulation.timeline.after(1000) { [self] in try tick(life, beat: beat + 1) }
    }
}
