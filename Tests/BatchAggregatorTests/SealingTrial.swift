import AggregatorCells
import AggregatorDeriving
import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing
import Wire

@testable import AggregatorSealing
@testable import BatchAggregator

/// Rows come, days are sealed, devices are erased, the power fails; statistics must be those of the rows that were there when
/// their day was closed, and those of the rows that are left of open days.
struct SealingTrial {
    let world: AggregatorWorld
    var dice: SplitMix64
    private let minimumDevices: Int
    private let offset: Int64
    private var rows: [AcceptedRow] = []
    private var through: Int64 = 0
    private var sealed = ""
    private var erasures = 0
    /// Who takes part; whoever was erased comes back as somebody else.
    private var devices: [Int64] = [1, 2, 3, 4]
    private var accidents = Accidents()
    /// How often days were closed, and cells went because they had too few devices.
    private(set) var closed = 0
    private(set) var removed = 0

    /// - Parameter zone: one with midnights on whole hours, or not.
    init(seed: UInt64, zone: String, offset: Int64) throws {
        dice = SplitMix64(seed: seed)
        self.offset = offset
        minimumDevices = dice.pick([2, 3, 4])
        world = try AggregatorWorld(zone: zone)
        world.minimumDevices = minimumDevices
        try restart()
    }

    private static let day: Int64 = 86_400

    mutating func turn() throws {
        let added = (0..<dice.pick([1, 5, 20, 40])).map { _ in
            var row = NearbyRows.random(&dice)
            row[ColumnID.device] = dice.pick(devices)
            row[ColumnID.capturedAt]! -= 1_000 * Self.day * dice.pick([0, 0, 1, 2, 3])
            return row
        }
        rows += added
        try deliver([try world.block(added)])
        if dice.chance(percent: 50) { try wander() }
        if dice.chance(percent: 30) { try erase() }
        if dice.chance(percent: 50) { try wander() }
    }

    /// Orders that days go that ended nine days before a time.
    mutating func seal(daysAgo: Int64) throws {
        let time = NearbyRows.noon - daysAgo * Self.day + 9 * Self.day
        try deliver([try world.retention(at: 1_000 * time)])
    }

    mutating func erase() throws {
        let place = dice.pick(Array(devices.indices)), device = devices[place]
        erasures += 1
        devices[place] = Int64(10 + erasures)
        let order = try world.order("r\(erasures)", of: UInt64(device))
        try deliver([order]) { rows in rows.removeAll { $0[ColumnID.device] == device } }
    }

    /// Hands blocks over until they are applied, also over a power cut.
    private mutating func deliver(
        _ blocks: [LaneBlock], applied change: (inout [AcceptedRow]) -> Void = { _ in }
    ) throws {
        repeat { accidents.mayCut(world, &dice) } while try !step(blocks)
        change(&rows)
    }

    /// Some steps, and maybe a death after one.
    private mutating func wander() throws {
        world.isCaughtUp = dice.chance(percent: 70)
        for _ in 0..<dice.pick([0, 1, 2, 5, 20]) {
            accidents.mayCut(world, &dice)
            _ = try step()
            if accidents.happens(percent: 10, &dice) { try restart() }
        }
    }

    mutating func settle() throws {
        world.isCaughtUp = true
        for _ in 0..<3_000 where world.effects.hasWork || world.engine.effects.nextTick != nil {
            accidents.mayCut(world, &dice)
            _ = try step()
            if accidents.happens(percent: 5, &dice) { try restart() }
        }
        try #require(!world.effects.hasWork && world.engine.effects.nextTick == nil)
    }

    private mutating func step(_ blocks: [LaneBlock] = []) throws -> Bool {
        let isAlive = try world.stepOrDie(blocks, keepsHouse: true)
        try noteClosed()
        return isAlive
    }

    /// What the rows of days that were closed since the last look came to.
    private mutating func noteClosed() throws {
        let now = try world.database.read { try SealingState.read($0) }.through
        guard now > through else { return }
        let lines = NaiveStatistics.lines(dump, from: through, to: now)
        let kept = NaiveStatistics.lines(lines, minimumDevices: minimumDevices)
        removed += lines.utf8.count - kept.utf8.count
        sealed += kept
        closed += 1
        through = now
    }

    private var dump: String {
        let offset = offset
        return NaiveStatistics.dump(rows, offset: { _ in offset })
    }

    private mutating func restart() throws {
        world.kill()
        try world.start()
        world.effects.sealer.sliceCells = dice.pick([20, 200, 2_000])
    }

    /// The first line that is not the same, and the number of lines, of both.
    private static func difference(_ found: String, _ expected: String) -> String {
        let left = found.split(separator: "\n"), right = expected.split(separator: "\n")
        let place = zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset ?? min(left.count, right.count)
        return [left, right].map { "\($0.count): \($0.dropFirst(place).first ?? "end")" }.joined(separator: " / ")
    }

    func check(_ comment: Comment) throws {
        let expected = NaiveStatistics.sorted(sealed, NaiveStatistics.lines(dump, from: through))
        let dump = try world.dump(), published = try world.published()
        #expect(dump == expected, "\(comment): \(Self.difference(dump, expected))")
        #expect(published == expected, "\(comment): \(Self.difference(published, expected))")
        #expect(try world.named(before: through) == 0, comment)
        #expect(try world.open.existingDays().allSatisfy { $0 >= through }, comment)
    }
}

extension AggregatorWorld {
    /// Cells of buckets that begin before a time and still have devices.
    func named(before time: Int64) throws -> Int {
        try database.read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM cells WHERE length(devices) > 0 AND substr(key, 2, 8) < ?",
                arguments: [CellStoreKey.bytes(ofStart: time)]) ?? 0
        }
    }
}
