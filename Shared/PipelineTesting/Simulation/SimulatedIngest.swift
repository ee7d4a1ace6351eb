import Foundation
import GRDB
import Ingest
import Lanes
import Models
import Storage

/// Ingest: the product's parser, engine and journals, with its threads simulated. Each commit is shown to the model, and
/// each receipt is compared with what the model says.
final class SimulatedIngest {
    /// What a phone hears; nil means nothing, because the service died or the reply was lost.
    typealias Answer = (_ isFinal: Bool) -> Void

    private struct Waiting {
        let index: Int
        let upload: SimulatedUpload
        let parsed: Ingest.Upload
        let name: String
        let clockOffset: Int
        let answer: Answer
    }

    private static let parser = UploadReader(scratches: 4)
    private static let lanes: [LaneName] = [.realtime, .batch, .requests]

    private(set) var database: ServiceDatabase
    private var crashPoint: CrashPoint
    private unowned let simulation: Simulation
    private var engine: IngestEngine?
    private var journals: [Journal] = []
    private var queue: [Waiting] = []
    private var life = 0
    private var diesAfterCommit = false
    /// Receipts that were given, by what names an upload: phone, kind, and key or body.
    private var given: [String: [UInt8]] = [:]

    init(in simulation: Simulation) throws {
        self.simulation = simulation
        database = try ServiceDatabase(path: ":memory:", migrations: IngestSchema.migrations)
        crashPoint = try CrashPoint(on: database)
    }

    func start() throws {
        life += 1
        do { try open() } catch is SimulatedCrash { die() }
    }

    private func open() throws {
        journals = try Self.lanes.map { lane in
            let limits = LaneLimits(maximumBytes: simulation.weather.journalLimit, retention: 0)
            return try Journal(
                lane: lane, in: database, limits: limits, readers: SimulatedServices.readers(of: lane),
                sealer: simulation.sealer,
                newGeneration: { simulation.random.next() >> 1 | 1 })
        }
        engine = IngestEngine(database: database, realtime: journals[0], batch: journals[1], requests: journals[2])
        for journal in journals {
            simulation.lanes[journal.lane]?.open(journal, in: database, sealer: simulation.sealer)
        }
        let life = life
        simulation.timeline.after(simulation.pause()) { [self] in try tick(life) }
    }

    func arm(commits: Int, afterwards: Bool) {
        if afterwards { diesAfterCommit = true } else { crashPoint.arm(after: commits) }
    }

    func disarm() {
        diesAfterCommit = false
        crashPoint.disarm()
    }

    func die() {
        disarm()
        engine = nil
        journals = []
        queue = []
        for lane in Self.lanes { simulation.lanes[lane]?.close() }
        simulation.timeline.after(simulation.random.within(20...1500)) { [self] in
            if engine == nil { try start() }
        }
    }

    /// A copy of the database as it is now.
    func copy() throws -> ServiceDatabase {
        try DatabaseCopy.make(of: database, migrations: IngestSchema.migrations)
    }

    /// Dies and comes back with an older copy of its database, as an operator would restore it: with new generations.
    func restore(_ copy: ServiceDatabase) throws {
        die()
        database = copy
        crashPoint = try CrashPoint(on: copy)
        for lane in Self.lanes {
            let journal = try Journal(lane: lane, in: copy, sealer: simulation.sealer)
            let generation = simulation.random.next() >> 1 | 1
            try copy.write { try journal.renewGeneration($0, to: generation) }
        }
    }

    /// An upload arrived.
    func receive(_ index: Int, _ upload: SimulatedUpload, sentAt: Int64?, answer: @escaping Answer) throws {
        guard engine != nil else { return }
        let now = simulation.clock.now
        let device = DeviceIdentity(ordinal: UInt64(upload.phone + 1), consent: .all, consentVersion: 1)
        let request = UploadRequest(
            kind: upload.records[0].kind == "feedback" ? .feedback : .report, idempotencyKey: upload.key,
            sentAt: sentAt,
            arrivedAt: now, listsAll: true)
        let body = Array(("[" + upload.records.map(\.json).joined(separator: ",") + "]").utf8)
        let parsed: Ingest.Upload
        do {
            parsed = try body.withUnsafeBytes { try Self.parser.read($0, of: device, as: request) }
        } catch let problem as Problem where problem.status == 422 {
            // Nothing in it could be read; the model must think so, too.
            guard upload.records.allSatisfy({ ReferenceField.firstFault(in: $0) != nil }) else {
                throw SimulationFailure("upload \(index): \(problem)")
            }
            return answer(true)
        }
        let offset = sentAt.map { Int(now - $0) } ?? 0
        let name = "\(upload.phone) \(request.kind.name) " + (upload.key ?? String(decoding: body, as: UTF8.self))
        queue.append(
            Waiting(index: index, upload: upload, parsed: parsed, name: name, clockOffset: offset, answer: answer))
        guard queue.count == 1 else { return }
        let life = life
        simulation.timeline.after(simulation.random.within(0...3)) { [self] in
            if self.life == life { try commit() }
        }
    }

    private func commit() throws {
        guard let engine else { return }
        let waiting = queue
        queue = []
        let now = simulation.clock.now
        let full = (realtime: journals[0].isFull, batch: journals[1].isFull)
        let outcome: IngestOutcome
        do {
            outcome = try engine.commit(waiting.map(\.parsed), now: now)
        } catch is SimulatedCrash {
            return die()
        }
        var answers: [(Answer, Bool)] = []
        for (one, result) in zip(waiting, outcome.receipts) {
            answers.append((one.answer, try check(one, result, full, now)))
        }
        if diesAfterCommit { return die() }
        for lane in Self.lanes {
            if let blocks = outcome.blocks[lane], !blocks.isEmpty {
                try simulation.lanes[lane]!.handle(.committed(blocks))
            }
        }
        for (answer, isFinal) in answers { answer(isFinal) }
    }

    /// Compares a receipt with the model; true if it is an acknowledgement.
    private func check(
        _ one: Waiting, _ result: Result<Receipt, Problem>, _ full: (realtime: Bool, batch: Bool), _ now: Int64
    ) throws -> Bool {
        if case .success(let receipt) = result, receipt.isRepeated {
            guard receipt.body == given[one.name] else {
                let before = given[one.name].map { String(decoding: $0, as: UTF8.self) } ?? "none"
                throw SimulationFailure(
                    "upload \(one.index): receipt \(String(decoding: receipt.body, as: UTF8.self)), before \(before)")
            }
            return true
        }
        let refused = full.realtime && one.parsed.isUrgent
        let expected =
            refused
            ? [nil]
            : simulation.model.submit(
                one.upload.records, device: one.upload.phone + 1, receivedAt: Int(now), clockOffset: one.clockOffset,
                onlyUrgent: full.batch)
        switch result {
        case .failure(let problem):
            guard problem.status == 503, expected.contains(nil) else {
                throw SimulationFailure("upload \(one.index): refused with \(problem), expected \(expected)")
            }
            return false
        case .success(let receipt):
            let statuses = receipt.items.map(\.status.rawValue)
            guard statuses == expected.map({ $0?.status ?? "held back" }) else {
                throw SimulationFailure("upload \(one.index): receipt says \(statuses), model \(expected)")
            }
            given[one.name] = receipt.body
            return true
        }
    }

    private func tick(_ life: Int, beat: Int = 0) throws {
        guard self.life == life, let engine else { return }
        let now = simulation.clock.now
        var progress: [LaneName: [ReaderProgress]] = [:]
        do {
            if beat % 3 == 2 {
                for lane in Self.lanes { progress[lane] = simulation.lanes[lane]?.takeProgress() }
                try engine.maintain(progress, now: now)
            }
        } catch is SimulatedCrash {
            return die()
        }
        for journal in journals {
            try simulation.lanes[journal.lane]?.handle(.trimmed(oldest: journal.oldest, tombstonesGone: 0))
            try simulation.lanes[journal.lane]?.handle(.tick(now: now))
        }
        simulation.timeline.after(1000) { [self] in try tick(life, beat: beat + 1) }
    }
}
