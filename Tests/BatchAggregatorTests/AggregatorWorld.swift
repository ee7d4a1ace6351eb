import Foundation
import Lanes
import Models
import Storage
import Wire

@testable import BatchAggregator

/// An aggregator on a temporary directory, driven step by step; it can die and come back.
final class AggregatorWorld {
    let path: String
    let zone: TimeZone
    private var process: Process?
    var now: UnixMilliseconds = 1_785_000_100_000
    var isRollupsFull = false
    /// Every block of rollups that was committed.
    private(set) var rollups: [Block] = []
    private var heads: [LaneName: UInt64] = [:]
    private var encoder = ColumnEncoder()

    /// What is in memory while the aggregator lives.
    private struct Process {
        var database: ServiceDatabase
        var open: OpenRowDirectory
        var effects: AggregatorEffects
        var engine: EffectEngine
    }

    var engine: EffectEngine { process!.engine }
    var effects: AggregatorEffects { process!.effects }
    var open: OpenRowDirectory { process!.open }
    var database: ServiceDatabase { process!.database }

    init(zone: String = "Africa/Douala") throws {
        path = NSTemporaryDirectory() + "aggregator-" + UUID().uuidString
        self.zone = TimeZone(identifier: zone)!
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: path)
    }

    func start() throws {
        let database = try ServiceDatabase(path: path + "/state.sqlite", migrations: AggregatorEffects.migrations)
        let journal = try Journal(lane: .rollups, in: database)
        let open = try OpenRowDirectory(path: path + "/open", timeZone: zone)
        let effects = try AggregatorEffects(
            database: database, open: open, timeZone: zone, isRollupsFull: { [unowned self] in isRollupsFull },
            stopwatch: { 0 })
        let engine = try EffectEngine(
            database: database, reads: AggregatorFolder.subscriptions, journals: [journal], effects: effects)
        process = Process(database: database, open: open, effects: effects, engine: engine)
    }

    /// Drops everything that is in memory.
    func kill() { process = nil }

    /// A block of rows as ingest writes it, after the blocks made before.
    func block(_ rows: [AcceptedRow], lane: LaneName = .batch, kind: RecordKind = .report) throws -> LaneBlock {
        let encoded = try encoder.encode(AcceptedRow.table(rows))
        let number = heads[lane, default: 0] + 1
        heads[lane] = number
        return LaneBlock(
            lane: lane,
            block: Block(
                header: BlockHeader(
                    generation: UInt64(lane.id) + 77, number: number, previous: number - 1, kind: kind.id,
                    kindVersion: kind.version, rowCount: rows.count, keptRows: rows.count, keyID: 0, committedAt: now,
                    subjects: Set(rows.map { UInt64($0[ColumnID.device]!) }).sorted(), rawLength: encoded.rawLength,
                    crc32: encoded.crc32),
                payload: encoded.payload))
    }

    /// One step of the engine, a second after the one before.
    @discardableResult
    func step(_ blocks: [LaneBlock] = []) throws -> EffectOutcome {
        now += 1_000
        let outcome = try engine.step(blocks, now: now)
        rollups += outcome.appended.flatMap(\.blocks)
        return outcome
    }

    /// Steps until every row is in cells.
    func settle() throws {
        while effects.hasWork { try step() }
    }

    func dump() throws -> String {
        var text: [UInt8] = []
        try CellDump.write(database.reader(), openDirectory: path + "/open", timeZone: zone) { text += $0 }
        return String(decoding: text, as: UTF8.self)
    }
}
