import GRDB
import Lanes
import Models
import PowerCut
import QoE
import Storage
import TemporaryFiles
import Testing
import Wire

@Suite struct EffectEngineTests {
    let database: ServiceDatabase
    let effects = Tally()

    init() throws {
        database = try ServiceDatabase(
            path: ":memory:",
            migrations: [Migration("sums", sql: "CREATE TABLE sums (id INTEGER PRIMARY KEY, rows INTEGER)")])
    }

    private func engine(journals: [Journal] = []) throws -> EffectEngine {
        try EffectEngine(
            database: database,
            reads: [
                LaneSubscription(lane: .realtime, kinds: [.report]), LaneSubscription(lane: .batch, kinds: [.report]),
            ],
            journals: journals, effects: effects)
    }

    private func blocks(_ numbers: ClosedRange<UInt64>, lane: LaneName = .batch, generation: UInt64 = 7) -> [LaneBlock]
    {
        numbers.map { LaneBlock(lane: lane, block: SampleRows.block($0, generation: generation)) }
    }

    private func sum() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT sum(rows) FROM sums") ?? 0 }
    }

    @Test func `effects and cursors move together`() throws {
        let engine = try engine()
        let outcome = try engine.step(blocks(1...3) + blocks(1...2, lane: .realtime), now: 1)
        #expect(outcome.appliedBlocks == 5 && outcome.appliedRows == 5)
        #expect(engine.cursor(.batch) == Position(lane: .batch, generation: 7, block: 3))
        #expect(outcome.moved[.realtime]?.block == 2)
        #expect(try sum() == 5)
        #expect(effects.events == ["prepare 5", "apply 5", "committed"])
    }

    @Test func `what is done before a transaction is on disk sees it committed`() throws {
        let directory = try TemporaryDirectory(), disk = PowerCutDisk(directory: directory.path)
        let database = try ServiceDatabase(
            path: directory.path("r.sqlite"),
            migrations: [Migration("sums", sql: "CREATE TABLE sums (id INTEGER PRIMARY KEY, rows INTEGER)")],
            options: DatabaseOptions(vfs: PowerCutDisk.vfs))
        let engine = try EffectEngine(
            database: database, reads: [LaneSubscription(lane: .batch, kinds: [.report])], journals: [],
            effects: effects)
        try engine.step(blocks(1...1), now: 1)
        let reader = try database.reader()
        var seen: [(rows: Int?, syncs: Int, events: Int)] = []
        engine.beforeSync = { [effects] in
            let rows = try? reader.read { try Int.fetchOne($0, sql: "SELECT sum(rows) FROM sums") }
            seen.append((rows, disk.syncs, effects.events.count))
        }
        let before = disk.syncs
        try engine.step(blocks(2...3), now: 1)
        #expect(seen.map(\.rows) == [3] && seen[0].syncs == before && disk.syncs == before + 1)
        #expect(seen[0].events == 5 && effects.events.last == "committed")
        disk.failSync(after: 0)
        #expect(throws: StorageError.self) { try engine.step(blocks(4...4), now: 1) }
        #expect(seen.count == 2 && engine.cursor(.batch)?.block == 3)
        #expect(throws: StorageError.self) { try engine.step(blocks(4...4), now: 1) }
        #expect(seen.count == 2)
    }

    @Test func `repeated blocks have no second effect`() throws {
        try engine().step(blocks(1...3), now: 1)
        let again = try engine()
        try again.step(blocks(2...4), now: 1)
        #expect(try sum() == 4)
        #expect(again.cursor(.batch)?.block == 4)
    }

    @Test func `crash before the commit repeats everything`() throws {
        effects.failsAt = .apply
        let journal = try Journal(lane: .alerts, in: database)
        #expect(throws: Tally.Crash.self) { try engine(journals: [journal]).step(blocks(1...3), now: 1) }
        #expect(try sum() == 0)
        effects.failsAt = nil
        let again = try engine(journals: [journal])
        #expect(again.cursor(.batch) == nil)
        try again.step(blocks(1...3), now: 1)
        #expect(try sum() == 3)
        #expect(!effects.events.dropLast(3).contains("committed"))
    }

    @Test func `emitted rows are in the same transaction`() throws {
        let journal = try Journal(lane: .alerts, in: database)
        effects.emits = .alerts
        let outcome = try engine(journals: [journal]).step(blocks(1...3), now: 4)
        #expect(outcome.appended.map(\.lane) == [.alerts])
        #expect(journal.head == 1)
        effects.emits = .rollups
        #expect(throws: LaneError.notWritten(lane: .rollups)) {
            try engine(journals: [journal]).step(blocks(4...4), now: 5)
        }
        #expect(try sum() == 3 && journal.head == 1)
    }

    @Test func `tick runs when due and only then`() throws {
        let engine = try engine()
        effects.nextTick = 10
        #expect(try engine.step([], now: 9).didTick == false)
        #expect(effects.events.isEmpty)
        #expect(try engine.step([], now: 10).didTick)
        #expect(effects.events == ["tick", "committed"])
    }

    @Test func `skipped positions move the cursor`() throws {
        let engine = try engine()
        let outcome = try engine.step(
            blocks(1...2),
            skipped: [
                .batch: Position(lane: .batch, generation: 7, block: 9),
                .realtime: Position(lane: .realtime, generation: 5, block: 4),
            ],
            now: 1)
        #expect(outcome.moved[.batch]?.block == 9 && outcome.moved[.realtime]?.block == 4)
        #expect(try self.engine().cursor(.realtime)?.generation == 5)
    }

    @Test func `other generation and newer kind are refused whole`() throws {
        let engine = try engine()
        try engine.step(blocks(1...1), now: 1)
        #expect(throws: LaneError.otherGeneration(lane: .batch, expected: 7, found: 8)) {
            try engine.step(blocks(2...2) + blocks(3...3, generation: 8), now: 1)
        }
        #expect(throws: LaneError.newerKind(lane: .batch, kind: "report", version: 3, known: 1)) {
            try engine.step([LaneBlock(lane: .batch, block: SampleRows.block(2, version: 3))], now: 1)
        }
        #expect(try sum() == 1 && engine.cursor(.batch)?.block == 1)
    }

    @Test func `empty step touches nothing`() throws {
        let outcome = try engine().step([], now: 1)
        #expect(outcome.moved.isEmpty && effects.events.isEmpty)
    }
}

/// Counts rows, remembers what was called, and fails where it is told to.
final class Tally: BlockEffects {
    struct Crash: Error {}
    enum Place { case prepare, apply }
    var events: [String] = []
    var failsAt: Place?
    var emits: LaneName?
    var nextTick: UnixMilliseconds?

    func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws {
        events.append("prepare \(blocks.count)")
        if failsAt == .prepare { throw Crash() }
    }

    func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        events.append("apply \(blocks.count)")
        for block in blocks {
            try transaction.db.execute(
                sql: "INSERT INTO sums (rows) VALUES (?)", arguments: [block.block.header.keptRows])
        }
        if let emits { try transaction.emit.append(to: emits, kind: .alarm, columns: SampleRows.states([("a", "b")])) }
        if failsAt == .apply { throw Crash() }
    }

    func tick(in transaction: inout EffectTransaction) throws -> Bool {
        events.append("tick")
        nextTick = nil
        return true
    }

    func committed(now: UnixMilliseconds) { events.append("committed") }
}
