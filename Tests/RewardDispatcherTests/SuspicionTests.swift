import Models
import Storage
import Testing

@testable import RewardDispatcher

/// What is odd about records, and what becomes of their grants.
struct SuspicionTests {
    private let start = RewardBench.start

    private func bench() throws -> RewardBench { try RewardBench(holdsSuspected: true) }

    private func held(_ bench: RewardBench) throws -> [String] {
        try bench.texts("SELECT suspected FROM grants WHERE suspected <> '' ORDER BY device, record")
    }

    private func given(
        _ device: Int64, _ seq: Int64, at offset: Int64 = 0, _ latitude: Double? = nil, _ longitude: Double = 11.5
    ) -> Given {
        Given(
            device: device, seq: seq, receivedAt: start, capturedAt: start + offset,
            latitude: latitude.map { Int64($0 * 1e7) }, longitude: latitude == nil ? nil : Int64(longitude * 1e7))
    }

    @Test func `more than a person gives in a minute is held, whenever it is sent`() throws {
        let bench = try bench()
        // A week of one a minute, sent at once.
        try bench.give((0..<30).map { given(1, $0, at: $0 * 60_000) })
        #expect(try held(bench) == [])
        try bench.give((0..<10).map { given(2, $0, at: $0 * 100) })
        #expect(try held(bench) == Array(repeating: "burst", count: 4))
    }

    @Test func `nobody is in Douala and a minute later in Maroua`() throws {
        let bench = try bench()
        try bench.give([given(1, 1, 4.05, 9.7), given(1, 2, at: 60_000, 10.59, 14.32)])
        // By an airliner two hours later.
        try bench.give([given(2, 1, 4.05, 9.7), given(2, 2, at: 7_200_000, 10.59, 14.32)])
        // Rough positions jump from cell to cell.
        try bench.give([given(3, 1, 4.05, 9.7), given(3, 2, at: 1_000, 4.4, 9.7)])
        // Late, and out of order.
        try bench.give([given(4, 1, at: 600_000, 4.05, 9.7), given(4, 2, 10.59, 14.32)])
        #expect(try held(bench) == ["impossible_travel", "impossible_travel"])
        #expect(try bench.texts("SELECT device FROM grants WHERE suspected <> '' ORDER BY device") == ["1", "4"])
    }

    @Test func `what two devices captured at the same millisecond in the same place is held of the second`() throws {
        let bench = try bench()
        try bench.give([given(1, 1, at: 7, 4.05), given(2, 1, at: 7, 4.05), given(3, 1, at: 8, 4.05)])
        // Whole seconds meet by chance, and what has no position says little. The start of the bench is a whole second.
        try bench.give([given(4, 1, 4.05), given(5, 1, 4.05), given(6, 1, at: 7), given(7, 1, at: 7)])
        #expect(try bench.texts("SELECT device FROM grants WHERE suspected = 'copied'") == ["2"])
    }

    @Test func `what is suspected is paid when a person releases it, and only then`() throws {
        let bench = try bench()
        try bench.give((0..<8).map { given(1, $0) })
        for step in 0..<5 as Range<Int64> {
            try bench.tick(start + step * 1_000)
            for call in bench.takeCalls() { bench.effects.answers.add(.confirmed("x"), to: call) }
        }
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'confirmed'") == 6)
        let waiting = try bench.database.read { try RewardDispatcherStore().waitingForPerson(limit: 10, $0) }
        #expect(waiting.count == 2 && waiting.first.allSatisfy { $0.reason == "suspected: burst" })
        try bench.database.write { db in
            for (grant, result) in zip(waiting.first, [DecidedResult.released, .rejected]) {
                try bench.effects.take(GrantDecision(grant.id, result, by: "ann", why: "looked"), db)
            }
        }
        for step in 10..<15 as Range<Int64> {
            try bench.tick(start + step * 1_000)
            for call in bench.takeCalls() { bench.effects.answers.add(.confirmed("x"), to: call) }
        }
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'confirmed'") == 7)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'rejected'") == 1)
        #expect(try bench.total(.budget) == -350 && bench.total(.owed) == 0)
        #expect(throws: (any Error).self) {
            try bench.database.write {
                try bench.effects.take(GrantDecision(waiting.first[0].id, .released, by: "ann", why: "again"), $0)
            }
        }
    }

    @Test func `an erasure takes what is remembered of a device, and its suspected grants are rejected`() throws {
        let bench = try bench()
        try bench.give((0..<8).map { given(1, $0, at: 7, 4.05) } + [given(2, 1, at: 9, 4.05)])
        try bench.erase(1)
        #expect(try bench.number("SELECT count(*) FROM capture_traces") == 1)
        #expect(try bench.number("SELECT count(*) FROM captures") == 1)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'pending' AND device <> 2") == 0)
    }
}
