import AggregatorFolding
import Foundation
import GRDB
import Lanes
import Models
import QoE
import Seeds
import Storage
import Testing

@testable import AggregatorCells
@testable import AggregatorSealing
@testable import BatchAggregator

@Suite struct PopulationMigrationTests {
    /// Rows of people who do not share: of those of before nobody knows better.
    private func rows(_ count: Int, _ dice: inout SplitMix64) -> [AcceptedRow] {
        (0..<count).map { _ in
            var row = AcceptedRow.random(&dice)
            row[ColumnID.flags] = 4
            return row
        }
    }

    /// An older program stopped at any moment; another one goes on, maybe after it was killed amid taking over.
    @Test(arguments: 0..<UInt64(Seeds.share(of: 12))) func `statistics are those of rows of before and of later`(
        seed: UInt64
    ) throws {
        var dice = SplitMix64(seed: seed)
        let world = try AggregatorWorld()
        var rows: [AcceptedRow] = []
        for _ in 0..<4 {
            let added = self.rows(dice.pick([1, 30, 120]), &dice)
            rows += added
            try world.step([try world.block(added)])
            for _ in 0..<dice.pick([0, 1, 3, 30]) where world.effects.hasWork { try world.step() }
            if dice.chance(percent: 40) { try sweep(world) }
        }
        let before = try world.dump(), published = try world.published(), head = world.journal.head
        let bytes = world.journal.bytes
        world.kill()
        try OlderHome(world).age()
        if dice.chance(percent: 50) { try takeOverSome(world, slices: dice.pick([0, 1, 2])) }
        try world.start()
        #expect(try world.dump() == before)
        #expect(before == NaiveStatistics.dump(rows))
        #expect(try world.published() == published && world.journal.head == head)
        #expect(abs(world.journal.bytes - bytes) < bytes / 10 + 64)
        try settleAndCheck(world, rows, "of before")
        let later = (0..<150).map { _ in AcceptedRow.random(&dice) }
        rows += later
        try world.step([try world.block(later)])
        try settleAndCheck(world, rows, "of later, too")
        try world.step([try world.order("r", of: 3)])
        rows.removeAll { $0[ColumnID.device] == 3 }
        try settleAndCheck(world, rows, "without a device")
    }

    private func settleAndCheck(_ world: AggregatorWorld, _ rows: [AcceptedRow], _ comment: Comment) throws {
        try world.settleAndSweep()
        try sweep(world)
        let expected = NaiveStatistics.dump(rows)
        #expect(try world.dump() == expected, comment)
        #expect(try world.published() == expected, comment)
    }

    /// Has what is superseded on the lane removed, by the index of its keys.
    private func sweep(_ world: AggregatorWorld) throws {
        world.journal.sweep()
        while world.journal.isSweeping { try world.engine.maintain(now: world.now) }
    }

    /// Opens the files, writes some blocks of the lane anew, and stops.
    private func takeOverSome(_ world: AggregatorWorld, slices: Int) throws {
        let database = try ServiceDatabase(path: world.path + "/state.sqlite", migrations: AggregatorEffects.migrations)
        let journal = try Journal(lane: .rollups, in: database)
        for _ in 0..<slices { #expect(try PopulationMigration.proceed(database, journal, bytes: 1)) }
        try database.close()
    }

    /// Devices of one place were told apart by 24 bits, now by 16.
    @Test(arguments: [0, 1] as [UInt64]) func `a fold that stopped between two devices goes on or begins anew`(
        finer: UInt64
    ) throws {
        let world = try AggregatorWorld()
        world.kill()
        world.passBytes = 20_000
        try world.start()
        let rows = (0..<3_000).map { number -> AcceptedRow in
            var row = AcceptedRow.plain(device: Int64(number % 500))
            row[ColumnID.flags] = 4
            return row
        }
        try world.step([try world.block(rows)])
        try world.step()
        let first = try #require(world.database.read { try FoldLedger.days($0) }.first?.first)
        #expect(first & 0xffff != 0, "between two devices")
        world.kill()
        try OlderHome(world).age(finer: finer)
        try world.start()
        let now = try world.database.read { try FoldLedger.days($0) }.first?.first
        #expect(now == (finer == 0 ? first : nil))
        if finer == 0 { #expect(try world.dump() == NaiveStatistics.dump(rows)) }
        try world.settle()
        #expect(try world.dump() == NaiveStatistics.dump(rows))
    }

    @Test func `days that were being sealed are sealed`() throws {
        var dice = SplitMix64(seed: 3)
        let world = try AggregatorWorld()
        world.minimumDevices = 2
        world.kill()
        try world.start()
        world.effects.sealer.sliceCells = 20
        let rows = rows(100, &dice)
        try world.step([try world.block(rows)])
        try world.settle()
        try world.step([try world.retention(at: 1_785_000_000_000 + 20 * 86_400_000)])
        for _ in 0..<50 where try world.database.read({ try SealingState.read($0) }).place?.count != 22 {
            try world.step()
        }
        #expect(try world.database.read { try SealingState.read($0) }.place?.count == 22)
        world.kill()
        try OlderHome(world).age()
        try world.start()
        try world.settleAndSweep()
        let expected = NaiveStatistics.lines(NaiveStatistics.dump(rows), minimumDevices: 2)
        #expect(try world.dump() == expected && !expected.isEmpty)
        #expect(try world.published() == expected)
    }

    @Test func `what was not taken over is not dumped`() throws {
        let world = try AggregatorWorld()
        try world.step([try world.block([.plain()])])
        let reader = try world.database.reader()
        world.kill()
        try OlderHome(world).age()
        #expect {
            try CellDump.write(.qoe, reader, openDirectory: world.path + "/open", timeZone: world.zone) { _ in }
        } throws: { "\($0)".contains("start nkul-batch-aggregator once") }
    }
}
