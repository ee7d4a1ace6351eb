import AggregatorDeriving
import AggregatorFolding
import GRDB
import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

@testable import AggregatorCells
@testable import BatchAggregator

@Suite struct AggregatorEffectsTests {
    private func rows(_ count: Int, _ dice: inout SplitMix64) -> [AcceptedRow] {
        (0..<count).map { _ in .random(&dice) }
    }

    @Test(arguments: 0..<8) func `cells are those of counting every row in every cell`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let world = try AggregatorWorld()
        let rows = rows(200, &dice)
        try world.step([try world.block(rows)])
        try world.settle()
        #expect(try world.dump() == NaiveStatistics.dump(rows))
    }

    @Test(arguments: 0..<8) func `any order and any blocks give the same dump`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let rows = rows(150, &dice)
        let world = try AggregatorWorld()
        var left = rows.shuffled(using: &dice)
        while !left.isEmpty {
            let count = min(left.count, Int.random(in: 1...40, using: &dice))
            let block = try world.block(
                Array(left.prefix(count)), lane: dice.pick([.batch, .realtime]), kind: dice.pick([.report, .feedback]))
            left.removeFirst(count)
            try world.step([block])
            if dice.chance(percent: 30) { try world.settle() }
        }
        try world.settle()
        #expect(try world.dump() == NaiveStatistics.dump(rows))
    }

    @Test func `the dump counts rows that are not in cells yet`() throws {
        var dice = SplitMix64(seed: 5)
        let first = rows(60, &dice), second = rows(60, &dice), third = rows(60, &dice)
        let world = try AggregatorWorld()
        try world.step([try world.block(first)])
        try world.settle()
        try world.step([try world.block(second)])
        #expect(world.effects.hasWork)
        #expect(try world.dump() == NaiveStatistics.dump(first + second))
        try world.step([try world.block(third)])
        #expect(world.effects.hasWork)
        #expect(try world.dump() == NaiveStatistics.dump(first + second + third))
    }

    @Test func `cells are complete to where rows were when a fold took all that waited`() throws {
        var dice = SplitMix64(seed: 7)
        let world = try AggregatorWorld()
        let effects = world.effects
        #expect(effects.completeTo == nil)
        effects.lanesComplete(to: [.realtime: 5_000, .batch: 4_000])
        #expect(effects.completeTo == 4_000)
        try world.step([try world.block(rows(20, &dice))])
        try #require(effects.hasWork)
        effects.lanesComplete(to: [.realtime: 7_000, .batch: 6_000])
        #expect(effects.completeTo == 4_000)
        try world.settle()
        #expect(effects.completeTo == 6_000)
    }

    /// Through all that is around the aggregator's own effects.
    @Test func `when blocks pause the rest after a fold ends`() throws {
        var dice = SplitMix64(seed: 6)
        let world = try AggregatorWorld()
        world.sliceTakes = 10_000
        // So many that a second of them makes folds rest, for three seconds at most.
        try world.step([try world.block(rows(4_000, &dice))])
        try world.settle()
        try world.step([try world.block(rows(20, &dice))])
        let rested = try #require(world.engine.effects.nextTick)
        world.engine.effects.blocksPaused()
        #expect(try #require(world.engine.effects.nextTick) == rested - 3_000)
    }

    @Test(arguments: 0..<10) func `crashes anywhere change nothing`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let world = try AggregatorWorld()
        var rows: [AcceptedRow] = []
        for _ in 0..<12 {
            let added = self.rows(Int.random(in: 1...30, using: &dice), &dice)
            let block = try world.block(added)
            rows += added
            if dice.chance(percent: 50) {
                // The day files are written, the commit is not: the same block comes again.
                try world.effects.prepare([block], now: world.now)
                world.kill()
                try world.start()
            }
            try world.step([block])
            if dice.chance(percent: 50) {
                world.kill()
                try world.start()
            }
            // A block that was committed before the crash is sent again.
            try world.step([block])
        }
        try world.settle()
        #expect(try world.dump() == NaiveStatistics.dump(rows))
    }

    @Test func `a fold that was interrupted goes on with its other slices`() throws {
        var dice = SplitMix64(seed: 9)
        let world = try AggregatorWorld()
        let rows = rows(400, &dice)
        try world.step([try world.block(rows)])
        var slices = 0
        while world.effects.hasWork {
            try world.step()
            slices += 1
            world.kill()
            try world.start()
            #expect(try world.dump() == NaiveStatistics.dump(rows))
        }
        #expect(slices > 1)
    }

    /// So many rows of a day that it is cut into parts, each folded by a process that has read them anew; once also more than may
    /// be in memory at a time.
    @Test(arguments: [SliceSize.passBytes, 90_000]) func `parts of a day are the same after each crash`(passBytes: Int)
        throws
    {
        let rows = AcceptedRow.dayInParts()
        let crashing = try AggregatorWorld(), calm = try AggregatorWorld(), expected = NaiveStatistics.dump(rows)
        crashing.passBytes = passBytes
        crashing.kill()
        try crashing.start()
        for world in [crashing, calm] { try step(world, rows) }
        var slices = 0
        while crashing.effects.hasWork {
            #expect(try slices % 3 > 0 || crashing.dump() == expected)
            try crashing.step()
            slices += 1
            crashing.kill()
            try crashing.start()
        }
        #expect(slices > 2)
        try calm.settle()
        let dump = try crashing.dump()
        #expect(try calm.dump() == dump)
        #expect(dump.contains("86400 1784934000 122223 62401 4G shared samples=24000 devices=50"))
        #expect(try RollupReader.lines(crashing.rollups) == dump)
    }

    @Test func `rows that are read in several passes are folded without a crash too`() throws {
        let rows = AcceptedRow.dayInParts()
        let world = try AggregatorWorld(), expected = NaiveStatistics.dump(rows)
        world.passBytes = 90_000
        world.kill()
        try world.start()
        try step(world, rows)
        #expect(try world.dump() == expected)
        try world.settle()
        #expect(try world.dump() == expected)
    }

    /// What was made of the slice after it must not be taken for the rows of a slice that is folded once more.
    @Test func `a slice that is rolled back is folded again by the same process`() throws {
        struct DiskFull: Error {}
        let rows = AcceptedRow.dayInParts(), world = try AggregatorWorld()
        try step(world, rows)
        var slices = 0
        while world.effects.hasWork {
            let due = try #require(world.effects.nextTick)
            #expect(throws: DiskFull.self) {
                try world.database.write { db in
                    var transaction = EffectTransaction(db, now: due)
                    guard try world.effects.tick(in: &transaction) else { return }
                    throw DiskFull()
                }
            }
            try world.effects.reload(world.database)
            try world.step()
            slices += 1
        }
        #expect(slices > 1)
        #expect(try world.dump() == NaiveStatistics.dump(rows))
    }

    /// Applies rows in many blocks.
    private func step(_ world: AggregatorWorld, _ rows: [AcceptedRow]) throws {
        try world.step(
            stride(from: 0, to: rows.count, by: 1_000).map {
                try world.block(Array(rows[$0..<min($0 + 1_000, rows.count)]))
            })
    }

    /// How it had cut the rows is not known: cells are made anew.
    @Test(arguments: [true, false]) func `after an older program that stopped amid a fold cells are exact`(isAmid: Bool)
        throws
    {
        var dice = SplitMix64(seed: 10)
        let world = try AggregatorWorld()
        let rows = rows(200, &dice)
        try world.step([try world.block(rows)])
        try world.settle()
        try world.database.write { db in
            try db.execute(sql: AggregatorSchema.olderSlices)
            guard isAmid else { return }
            try db.execute(sql: "INSERT INTO slices (day, part, parts) VALUES (7, 1, 2)")
            try db.execute(sql: "UPDATE cells SET samples = 2 * samples")
        }
        world.kill()
        try world.start()
        #expect(world.effects.hasWork == isAmid)
        try world.settle()
        #expect(try world.dump() == NaiveStatistics.dump(rows))
    }

    @Test func `a rebuild gives the same cells and publishes them`() throws {
        var dice = SplitMix64(seed: 11)
        let world = try AggregatorWorld()
        let rows = rows(200, &dice)
        for part in 0..<4 { try world.step([try world.block(Array(rows[part * 50..<part * 50 + 50]))]) }
        try world.settle()
        let head = world.engine.journals[0].head
        try world.database.write { try $0.execute(sql: "UPDATE cells SET samples = samples + 1, histograms = x'00'") }
        try AggregatorRebuild.run(world.engine, world.open, world.effects, now: { world.now })
        #expect(try world.dump() == NaiveStatistics.dump(rows))
        #expect(world.engine.journals[0].head > head)
    }

    @Test func `a rebuild does not count blocks that were never committed`() throws {
        let world = try AggregatorWorld()
        try world.step([try world.block([.plain()])])
        try world.effects.prepare([try world.block([.plain(device: 2)])], now: world.now)
        world.kill()
        try world.start()
        try AggregatorRebuild.run(world.engine, world.open, world.effects, now: { world.now })
        #expect(try world.dump() == NaiveStatistics.dump([.plain()]))
    }

    @Test func `rollups carry the absolute state of each changed cell`() throws {
        var dice = SplitMix64(seed: 21)
        let world = try AggregatorWorld()
        var rows: [AcceptedRow] = []
        for _ in 0..<4 {
            let added = self.rows(40, &dice)
            rows += added
            try world.step([try world.block(added)])
            try world.settle()
        }
        #expect(try RollupReader.lines(world.rollups) == NaiveStatistics.dump(rows))
    }

    @Test func `mocked rows never count`() throws {
        var row = AcceptedRow.plain()
        row[ColumnID.mockLocation] = 1
        let world = try AggregatorWorld()
        try world.step([try world.block([row])])
        try world.settle()
        #expect(try world.dump() == "")
        #expect(try world.open.existingDays() == [])
    }

    @Test func `nothing is folded while the lane is full`() throws {
        let world = try AggregatorWorld()
        world.isRollupsFull = true
        try world.step([try world.block([.plain()])])
        for _ in 0..<5 { try world.step() }
        #expect(world.effects.hasWork)
        #expect(world.rollups.isEmpty)
        world.isRollupsFull = false
        for _ in 0..<3 { try world.step() }
        #expect(!world.effects.hasWork)
        #expect(!world.rollups.isEmpty)
    }
}
