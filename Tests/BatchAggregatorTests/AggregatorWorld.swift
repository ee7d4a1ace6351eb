import AggregatorCells
import AggregatorDeriving
import AggregatorFolding
import AggregatorReleasing
import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import SubjectRights
import Wire

@testable import BatchAggregator

/// An aggregator on a temporary directory, driven step by step; it can die and come back.
final class AggregatorWorld {
    let path: String
    let zone: TimeZone
    private var process: Process?
    /// Those of the next start.
    var programmes: Programmes
    var now: UnixMilliseconds = 1_785_000_100_000
    var isRollupsFull = false
    /// Lanes have nothing that is not applied yet, and the loop says so.
    var isCaughtUp = true
    /// Of a cell that stays when its bucket is sealed.
    var minimumDevices = AggregatorEffects.usualMinimumDevices
    /// What a slice of a fold takes by the stopwatch, ms.
    var sliceTakes: UnixMilliseconds = 0
    private var stopwatch: UnixMilliseconds = 0
    /// Most bytes of records in memory when a fold reads rows.
    var passBytes = SliceSize.passBytes
    /// How releases are made; nil if none are.
    var releases: ReleaseSettings?
    /// Most bytes of rows in memory when releases are made.
    var releaseBytes = Releaser.usualLimit
    /// How much a slice of an erasure does.
    var bounds = ErasureBounds()
    /// Told what each commit did.
    var onReport: (FoldProgress) -> Void = { _ in }
    /// Lets the aggregator die before a commit.
    private(set) var powerCut = PowerCut()
    /// Every block of statistics that was committed.
    private(set) var rollups: [Block] = []
    private var heads: [LaneName: UInt64] = [:]
    /// Generations of lanes, if not the usual ones.
    private var generations: [LaneName: UInt64] = [:]
    private var encoder = ColumnEncoder()

    /// What is in memory while the aggregator lives.
    private struct Process {
        var database: ServiceDatabase
        var open: OpenRowDirectory
        var effects: AggregatorEffects
        var engine: EffectEngine
        var journal: Journal
    }

    var engine: EffectEngine { process!.engine }
    var effects: AggregatorEffects { process!.effects }
    var open: OpenRowDirectory { process!.open }
    var database: ServiceDatabase { process!.database }
    var journal: Journal { process!.journal }

    init(
        zone: String = "Africa/Douala", programmes: Programmes = .qoe, releases: ReleaseSettings? = nil
    ) throws {
        self.programmes = programmes
        self.releases = releases
        path = NSTemporaryDirectory() + "aggregator-" + UUID().uuidString
        self.zone = TimeZone(identifier: zone)!
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try start()
        // Its key is announced: from now on there is nothing to do but what tests give it.
        try engine.step([], now: now)
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// - Parameter restoration: that its files come out of a backup.
    func start(_ restoration: Restoration? = nil) throws {
        let database = try ServiceDatabase(path: path + "/state.sqlite", migrations: AggregatorEffects.migrations)
        let open = try OpenRowDirectory(path: path + "/open", timeZone: zone)
        if let restoration { try RestoredStatistics.settle(restoration, database, open) }
        let journal = try Journal(lane: .rollups, in: database)
        try PopulationMigration.finish(database, journal)
        let effects = try AggregatorEffects(
            programmes, database: database, open: open, timeZone: zone,
            isRollupsFull: { [unowned self] in isRollupsFull },
            stopwatch: { [unowned self] in
                stopwatch += sliceTakes
                return stopwatch
            }, minimumDevices: minimumDevices, awaitedErasures: restoration?.awaitedErasures ?? [],
            passBytes: passBytes, releases: releases, releaseBytes: releaseBytes,
            report: { [unowned self] in onReport($0) })
        let engine = try EffectEngine(
            database: database, reads: AggregatorEffects.subscriptions(programmes), journals: [journal],
            effects: SubjectRightsEffects(
                effects, effects.subjects(rollups: journal, bounds: bounds), database: database, journals: [journal],
                key: ReceiptKey(secret: [UInt8](repeating: 5, count: 32), service: "batch-aggregator")))
        powerCut = PowerCut()
        try powerCut.install(on: database)
        process = Process(database: database, open: open, effects: effects, engine: engine, journal: journal)
    }

    /// Drops everything that is in memory.
    func kill() { process = nil }

    /// A block of rows as ingest writes it, after the blocks made before.
    func block(_ rows: [AcceptedRow], lane: LaneName = .batch, kind: RecordKind = .report) throws -> LaneBlock {
        try block(AcceptedRow.table(rows), lane, kind)
    }

    private func block(_ columns: Columns, _ lane: LaneName, _ kind: RecordKind) throws -> LaneBlock {
        let encoded = try encoder.encode(columns)
        let number = heads[lane, default: 0] + 1
        heads[lane] = number
        return LaneBlock(
            lane: lane,
            block: Block(
                header: BlockHeader(
                    generation: generation(lane), number: number, previous: number - 1, kind: kind.id,
                    kindVersion: kind.version, rowCount: columns.rowCount, keptRows: columns.rowCount, keyID: 0,
                    committedAt: now,
                    subjects: Set(columns[ColumnID.device]?.integers.map { UInt64($0) } ?? []).sorted(),
                    rawLength: encoded.rawLength,
                    crc32: encoded.crc32),
                payload: encoded.payload))
    }

    /// The last block made of a lane.
    func position(_ lane: LaneName) -> Position {
        Position(lane: lane, generation: generation(lane), block: heads[lane, default: 0])
    }

    /// Lanes go on after some block, in another generation.
    func restoreLanes(_ restored: [Restoration.Lane]) {
        for lane in restored { (heads[lane.lane], generations[lane.lane]) = (lane.head, lane.generation) }
    }

    private func generation(_ lane: LaneName) -> UInt64 { generations[lane] ?? UInt64(lane.id) + 77 }

    /// An erasure, as the privacy worker orders it, whose rows have come when the blocks made so far have.
    func order(
        _ request: String, of device: UInt64, _ scope: ErasureScope = .everything, barriers: [Position]? = nil
    ) throws -> LaneBlock {
        let document = ErasureSubjectDocument(
            request: request, subject: "ab", scope: scope,
            barriers: barriers ?? [position(.realtime), position(.batch)])
        let columns = try ErasureSubject.columns([ErasureSubject(device: device, document: document)])
        return try block(columns, .privacy, .erasureSubject)
    }

    /// What is to go because its time is over, as the privacy worker orders it at a time.
    func retention(at time: UnixMilliseconds, isDryRun: Bool = false) throws -> LaneBlock {
        let order = RetentionOrderDocument(
            issuedAt: time, isDryRun: isDryRun, source: .schedule, days: [.openRows: RetentionKind.openRows.rule.days])
        return try block(.documents([(order.key, order)]), .privacy, .retentionOrder)
    }

    /// One step of the engine, a second after the one before.
    @discardableResult
    func step(_ blocks: [LaneBlock] = []) throws -> EffectOutcome {
        now += 1_000
        let outcome = try engine.step(blocks, now: now)
        if isCaughtUp { engine.effects.appliedAll(before: now) }
        rollups += outcome.appended.flatMap(\.blocks).filter { $0.header.kind == RecordKind.cell.id }
        return outcome
    }

    /// Steps until every row is in cells.
    func settle() throws {
        while effects.hasWork { try step() }
    }

    /// Steps until every erasure that can be executed is signed, and every row is in cells.
    func settleAll() throws {
        while effects.hasWork || engine.effects.nextTick != nil { try step() }
    }

    /// Steps and keeps house until nothing is left to do.
    func settleAndSweep() throws {
        while effects.hasWork || engine.effects.nextTick != nil {
            try step()
            try engine.maintain(now: now)
        }
    }

    /// Steps like ``step(_:)``, and maybe keeps house; if the power fails, the aggregator comes back, and false is returned.
    func stepOrDie(_ blocks: [LaneBlock] = [], keepsHouse: Bool = false) throws -> Bool {
        do {
            try step(blocks)
            if keepsHouse { try engine.maintain(now: now) }
            return true
        } catch is PowerCut.Failure {
            kill()
            try start()
            return false
        }
    }

    /// What is on the lane, as somebody reads it who begins now.
    func published() throws -> String { try RollupReader.read(publishedBlocks(), programmes).lines }

    /// How samples are spread over devices, as somebody reads it who begins now.
    func publishedSpreads() throws -> String { try RollupReader.read(publishedBlocks(), programmes).spreads }

    private func publishedBlocks() throws -> [Block] {
        try Journal.read(
            lane: .rollups, from: database.reader(), after: 0, kinds: [RecordKind.cell.id],
            limit: JournalPage.Limit(blocks: .max, bytes: .max)
        ).blocks
    }

    func dump() throws -> String {
        var text: [UInt8] = []
        try CellDump.write(
            programmes, database.reader(), openDirectory: path + "/open", timeZone: zone, passBytes: passBytes
        ) { text += $0 }
        return String(decoding: text, as: UTF8.self)
    }
}

extension CountingRules {
    /// Those of mobile QoE.
    static let qoe = CountingRules(.qoe)
}
