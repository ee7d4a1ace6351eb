import Foundation
import GRDB
import Lanes
import Models
import QoE
import SubjectRights
import Testing
import Wire

@testable import BatchAggregator

/// Rows come, devices are erased, the power fails; at any time the statistics must be those of the rows that are left.
struct ErasureTrial {
    private static let firstMember = Int64(OwnerOrdinal.members.lowerBound)

    let world: AggregatorWorld
    /// The rows that came and were not erased.
    private(set) var rows: [AcceptedRow] = []
    private(set) var subjects: [ErasureSubject] = []
    var dice: SplitMix64
    private var accidents = Accidents()

    init(seed: UInt64) throws {
        dice = SplitMix64(seed: seed)
        world = try AggregatorWorld()
        if dice.chance(percent: 70) {
            world.bounds = ErasureBounds(
                searched: dice.pick([1, 2, 50]), decoded: dice.pick([1, 2, 3]), rows: dice.pick([1, 3, 20]))
            try restart()
        }
    }

    private var filter: ErasureFilter { ErasureFilter(subjects) }

    /// Rows that may still come: nothing of what is erased.
    mutating func someRows() -> [AcceptedRow] {
        let isNear = dice.chance(percent: 60)
        let some = (0..<dice.pick([1, 3, 10, 30])).map { _ in
            var row = isNear ? NearbyRows.random(&dice) : AcceptedRow.random(&dice)
            // Members own data as devices do.
            if row[ColumnID.device]! >= 4 { row[ColumnID.device]! += Self.firstMember }
            return row
        }
        let filter = filter
        return some.filter { !Self.takes($0, filter) }
    }

    /// A block comes, and maybe before, with or after it an erasure that concerns it too.
    mutating func turn(erasing: Bool) throws {
        let added = someRows()
        guard !added.isEmpty else { return }
        rows += added
        let block = try world.block(
            added, lane: dice.pick([.batch, .realtime]), kind: dice.pick([.report, .feedback]))
        guard erasing else { return try deliver([block]) }
        let order = try self.order()
        switch dice.pick([0, 1, 2]) {
        case 0:
            try deliver([order])
            try deliver([block])
        case 1:
            try deliver([block])
            try wander()
            try deliver([order])
        default: try deliver([order, block].shuffled(using: &dice))
        }
    }

    /// Erases a part or all of a device.
    mutating func order() throws -> LaneBlock {
        let device = UInt64(dice.pick([1, 2, 3, Self.firstMember + 4, Self.firstMember + 7]))
        let scope = dice.chance(percent: 50) ? .everything : self.scope()
        let request = "r\(subjects.count)"
        subjects.append(
            ErasureSubject(
                device: device,
                document: ErasureSubjectDocument(request: request, subject: "ab", scope: scope, barriers: [])))
        let filter = filter
        rows.removeAll { Self.takes($0, filter) }
        return try world.order(request, of: device, scope)
    }

    private mutating func scope() -> ErasureScope {
        let start = 1_785_000_000_000 + dice.pick([Int64(0), 240_000, 300_000, 2_000_000, 86_400_000])
        let length = dice.pick([Int64(300_000), 3_600_000, 86_400_000])
        let place = Quadkey(
            latitude: 38_667_000, longitude: 115_140_000 + 54_932 * dice.pick([Int64(0), 1, 4, 33]))
        let cells = place.map { [$0.parent(at: dice.pick([16, 15, 13, 9]))] }
        let ways = dice.pick([0, 1, 2])
        return ErasureScope(
            from: ways == 1 ? nil : start, to: ways == 1 ? nil : start + length, cells: ways == 0 ? nil : cells,
            requestedAt: start + 10 * 86_400_000)
    }

    static func takes(_ row: AcceptedRow, _ filter: ErasureFilter) -> Bool {
        filter.takes(
            device: UInt64(row[ColumnID.device]!), capturedAt: row[ColumnID.capturedAt]!,
            cell: Quadkey.entry(
                latitude: row[ColumnID.latitude], longitude: row[ColumnID.longitude], accuracy: row[ColumnID.accuracy],
                speed: row[ColumnID.speed]))
    }

    /// Hands blocks over until they are applied, also over a power cut.
    mutating func deliver(_ blocks: [LaneBlock]) throws {
        repeat { accidents.mayCut(world, &dice) } while try !world.stepOrDie(blocks)
    }

    /// Some steps, and maybe a death after one.
    mutating func wander() throws {
        // While the lane is full, rows wait to be folded.
        world.isRollupsFull = dice.chance(percent: 40)
        for _ in 0..<dice.pick([0, 1, 2, 5, 20]) {
            accidents.mayCut(world, &dice)
            _ = try world.stepOrDie()
            if accidents.happens(percent: 10, &dice) { try restart() }
        }
    }

    mutating func settle() throws {
        world.isRollupsFull = false
        for _ in 0..<3_000 where world.effects.hasWork || world.engine.effects.nextTick != nil {
            accidents.mayCut(world, &dice)
            _ = try world.stepOrDie()
            if accidents.happens(percent: 5, &dice) { try restart() }
        }
        try #require(!world.effects.hasWork && world.engine.effects.nextTick == nil)
    }

    private func restart() throws {
        world.kill()
        try world.start()
    }

    /// Statistics, what is published, and all files are as if the erased rows had never been.
    func check(_ comment: Comment) throws {
        let expected = NaiveStatistics.dump(rows)
        #expect(try world.dump() == expected, comment)
        #expect(try world.published() == expected, comment)
        try FileScan(world).check(filter, rows, comment)
    }
}
