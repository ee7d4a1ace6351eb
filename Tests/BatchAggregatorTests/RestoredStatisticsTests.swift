import AggregatorFolding
import BatchAggregator
import Foundation
import Lanes
import Models
import Storage
import Testing

@Suite struct RestoredStatisticsTests {
    private func rows(_ device: Int64, minutes: [Int64]) -> [AcceptedRow] {
        minutes.map { .plain(device: device, capturedAt: (NearbyRows.noon + 60 * $0) * 1_000) }
    }

    private func restoration(_ world: AggregatorWorld, through block: UInt64) -> Restoration {
        let batch = Restoration.Lane(
            lane: .batch, oldGeneration: world.position(.batch).generation, head: block, generation: 4_000)
        let rollups = Restoration.Lane(
            lane: .rollups, oldGeneration: world.journal.generation, head: world.journal.head, generation: 4_001)
        return Restoration(id: "r", backedUpAt: 0, restoredAt: 0, lanes: [batch, rollups], readers: [])
    }

    /// The day files of a backup are ahead of its cursors.
    @Test func `rows that are ahead of the cursors go, and count once when their blocks come in the new generation`()
        throws
    {
        let world = try AggregatorWorld()
        let first = rows(1, minutes: [0, 5]), second = rows(2, minutes: [7])
        try world.step([try world.block(first)])
        try world.settle()
        try world.effects.prepare([try world.block(second)], now: world.now)
        let restoration = restoration(world, through: 1)
        world.kill()
        try world.start(restoration)
        #expect(try world.dump() == NaiveStatistics.dump(first))
        // Block 2 means other rows now.
        world.restoreLanes(restoration.lanes)
        let other = rows(3, minutes: [9])
        try world.step([try world.block(other)])
        try world.settle()
        #expect(try world.dump() == NaiveStatistics.dump(first + other))
        #expect(try world.published() == world.dump())
    }

    @Test func `nothing of the old generation waits for a fold, whatever its numbers were`() throws {
        let world = try AggregatorWorld()
        for number in 1...40 { try world.step([try world.block(rows(1, minutes: [Int64(number)]))]) }
        try world.settle()
        let restoration = restoration(world, through: 40)
        world.kill()
        try world.start(restoration)
        #expect(!world.effects.hasWork)
        world.restoreLanes(restoration.lanes)
        try world.step([try world.block(rows(2, minutes: [3]))])
        #expect(try world.database.read { try FoldLedger.waitingBlocks($0) } == 1)
        try world.settle()
        #expect(try world.published() == world.dump())
    }

    @Test func `a second start with the same restore changes nothing`() throws {
        let world = try AggregatorWorld()
        try world.step([try world.block(rows(1, minutes: [0]))])
        let restoration = restoration(world, through: 1)
        world.kill()
        try world.start(restoration)
        world.restoreLanes(restoration.lanes)
        try world.step([try world.block(rows(2, minutes: [1]))])
        let dump = try world.dump()
        world.kill()
        try world.start(restoration)
        #expect(try world.dump() == dump)
    }
}
