import Lanes
import Models
import Storage
import Testing
import Wire

@Suite struct CompactionTests {
    /// Random writes, removals and compaction in between; readers that start from nothing at any moment, and one that was
    /// there from the beginning, all end with the same state.
    @Test(arguments: UInt64(0)..<12) func `every reader ends with the latest of each key`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let database = try ServiceDatabase(path: ":memory:", migrations: [])
        let sealer = seed % 2 == 0 ? BlockSealer(key: [UInt8](repeating: 1, count: 32)) : nil
        let limits = LaneLimits(maximumBytes: 32 << 20, tombstoneRetention: 40_000)
        let journal = try Journal(lane: .alerts, in: database, limits: limits, sealer: sealer)
        var encoder = ColumnEncoder()
        var truth: [String: String] = [:]
        var follower: [String: String] = [:]
        var followed: UInt64 = 0
        var compacted = 0
        /// The writer refuses a reader that is older than the removals it still knows; such a one begins again.
        func catchUp() throws {
            if followed < journal.tombstonesGone {
                follower = [:]
                followed = 0
            }
            followed = try follow(&follower, after: followed, database, sealer)
        }
        for round in 0..<150 {
            let records = (0..<(1 + random.below(60))).map { _ in
                let key = "key \(random.below(200))"
                return (key: key, text: random.chance(percent: 10) ? nil : noise(&random) as String?)
            }
            for record in records { truth[record.key] = record.text }
            _ = try database.write {
                try journal.append(
                    $0, kind: .alarm, columns: SampleRows.states(records), encoder: &encoder, now: Int64(round) * 1_000)
            }
            if random.chance(percent: 60) {
                compacted += try database.write { try journal.maintain($0, now: Int64(round) * 1_000) }.compactedBlocks
            }
            if random.chance(percent: 30) { try catchUp() }
            if random.chance(percent: 5) {
                var newcomer: [String: String] = [:]
                _ = try follow(&newcomer, after: 0, database, sealer)
                #expect(newcomer == truth)
            }
        }
        while try database.write({ try journal.maintain($0, now: 200_000) }).hasMore {}
        var newcomer: [String: String] = [:]
        _ = try follow(&newcomer, after: 0, database, sealer)
        try catchUp()
        #expect(newcomer == truth)
        #expect(follower == truth)
        #expect(compacted > 0)
        #expect(journal.bytes < 6 << 20)
    }

    /// A state that takes most of the limit, written anew again and again: there is always room for the next.
    @Test(arguments: [40, 60, 80]) func `state near the limit is swept before the journal is full`(percent: Int) throws
    {
        var random = SplitMix64(seed: UInt64(percent))
        let limit = 64 << 20, bytes = 60_000, keys = limit / 100 * percent / bytes
        let database = try ServiceDatabase(path: ":memory:", migrations: [])
        let journal = try Journal(lane: .rollups, in: database, limits: LaneLimits(maximumBytes: limit))
        var encoder = ColumnEncoder()
        for number in 0..<3 * keys {
            try #require(!journal.isFull, "after \(number) records of \(keys) keys")
            let record = ("key \(number % keys)", noise(&random, bytes) as String?)
            _ = try database.write {
                try journal.append($0, kind: .alarm, columns: SampleRows.states([record]), encoder: &encoder, now: 0)
            }
            while try database.write({ try journal.maintain($0, now: 0) }).hasMore {}
        }
    }

    @Test func `expired tombstones are forgotten and remembered`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: [])
        let journal = try Journal(
            lane: .alerts, in: database, limits: LaneLimits(maximumBytes: 32 << 20, tombstoneRetention: 1_000))
        var encoder = ColumnEncoder()
        var random = SplitMix64(seed: 4)
        func append(_ records: [(key: String, text: String?)], now: Int64) throws {
            _ = try database.write {
                try journal.append($0, kind: .alarm, columns: SampleRows.states(records), encoder: &encoder, now: now)
            }
        }
        try append([("gone", "x"), ("kept", "y")], now: 0)
        try append([("gone", nil)], now: 1)
        for number in 0..<100 { try append([("filler \(number % 3)", noise(&random, 60_000))], now: 10) }
        while try database.write({ try journal.maintain($0, now: 500) }).hasMore {}
        #expect(journal.tombstonesGone == 0)
        for number in 0..<120 { try append([("filler \(number % 3)", noise(&random, 60_000))], now: 5_000) }
        while try database.write({ try journal.maintain($0, now: 5_000) }).hasMore {}
        #expect(journal.tombstonesGone >= 2)
        var state: [String: String] = [:]
        _ = try follow(&state, after: 0, database, nil)
        #expect(Set(state.keys) == ["kept", "filler 0", "filler 1", "filler 2"])
        #expect(try Journal(lane: .alerts, in: database).bytes == journal.bytes)
    }

    private func follow(
        _ state: inout [String: String], after: UInt64, _ database: ServiceDatabase, _ sealer: BlockSealer?
    ) throws -> UInt64 {
        var after = after
        while true {
            let page = try Journal.read(
                lane: .alerts, from: try database.reader(), after: after, limit: .init(blocks: 7, bytes: 1 << 30),
                sealer: sealer)
            try SampleRows.apply(page.blocks, to: &state)
            after = page.through
            if after >= page.head { return after }
        }
    }

    /// Text that deflate cannot shrink much: a piece of a pool, cut anywhere.
    private func noise(_ random: inout SplitMix64, _ length: Int = 1_500) -> String {
        let start = random.below(Self.pool.count - length)
        return String(decoding: Self.pool[start..<start + length], as: UTF8.self)
    }

    private static let pool: [UInt8] = {
        var random = SplitMix64(seed: 99)
        return (0..<2_000_000).map { _ in UInt8(33 + random.below(90)) }
    }()
}
