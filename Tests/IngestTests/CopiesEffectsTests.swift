import GRDB
import Lanes
import Models
import Storage
import Testing

@testable import IngestAPI

@Suite struct CopiesEffectsTests {
    /// Effects in a program that is killed before its commit.
    private final class Killed: BlockEffects {
        struct Kill: Error {}
        let inner: CopiesEffects
        init(_ inner: CopiesEffects) { self.inner = inner }
        var nextTick: UnixMilliseconds? { nil }
        func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
            try inner.apply(blocks, in: &transaction)
            throw Kill()
        }
    }

    @Test func `a grant counts once, whatever states it goes through`() async throws {
        let bench = try CopiesBench()
        for state in [GrantState.pending, .sent, .unknown, .asked, .confirmed] {
            try bench.take(bench.grants([.sample(1, state, changedAt: 5)]))
        }
        try bench.take(bench.balance(1, paid: 50, pending: 0))
        let answer = try await bench.answer(1)
        #expect(answer.grants == [.sample(1, .confirmed, changedAt: 5)])
        #expect(answer.subscriber.granted == 1 && answer.subscriber.kept == 1)
        #expect(answer.subscriber.paid == 50 && answer.streak == Streak(answer.subscriber.days, today: 20_370))
        #expect(answer.streak.days == 1 && answer.badges == [.firstFeedback])
    }

    @Test func `killed before the commit, nothing happened; the same blocks again happen once`() async throws {
        let bench = try CopiesBench()
        let blocks = [try bench.grants([.sample(1), .sample(2)]), try bench.balance(1, paid: 0, pending: 100)]
        #expect(throws: Killed.Kill.self) { try bench.engine { Killed($0) }.step(blocks, now: 1) }
        #expect(try await bench.answer(1).subscriber == Subscriber())
        #expect(try await bench.answer(1).asOf == nil)
        try bench.engine().step(blocks, now: 1)
        let once = try await bench.answer(1)
        #expect(once.subscriber.granted == 2 && once.subscriber.pending == 100 && once.asOf != nil)
        try bench.engine().step(blocks, now: 2)
        #expect(try await bench.answer(1) == once)
    }

    @Test func `of each device the newest grants are kept, and dropped ones stay counted`() async throws {
        let bench = try CopiesBench(mostGrants: 3)
        try bench.take(bench.grants((1...5).map { .sample($0) } + [.sample(9, device: 2)]))
        var answer = try await bench.answer(1)
        #expect(answer.grants.map(\.grant) == [5, 4, 3].map { GrantDocument.sample($0).grant })
        #expect(answer.subscriber.granted == 5 && answer.subscriber.kept == 3)
        #expect(try await bench.answer(2).subscriber.kept == 1)
        // A dropped grant changes, one that is kept changes, and a new one comes.
        try bench.take(bench.grants([.sample(1, .confirmed), .sample(3, .confirmed), .sample(6)]))
        answer = try await bench.answer(1)
        #expect(answer.grants.map(\.grant) == [6, 5, 4].map { GrantDocument.sample($0).grant })
        #expect(answer.subscriber.granted == 6 && answer.subscriber.kept == 3)
        #expect(try bench.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grants") } == 4)
    }

    @Test func `read from the beginning again, in the order of last change, the copy is the same`() async throws {
        let first = try CopiesBench(mostGrants: 4), again = try CopiesBench(mostGrants: 4)
        for day in 0..<8 { try first.take(first.grants([.sample(day, day: day)])) }
        let order = [1, 0, 4, 3, 2, 5, 7, 6]
        for day in order { try first.take(first.grants([.sample(day, .confirmed, day: day)])) }
        for day in order { try again.take(again.grants([.sample(day, .confirmed, day: day)])) }
        let now: UnixMilliseconds = 1_759_964_400_000 + 7 * 86_400_000
        let one = try await first.answer(1, now: now), other = try await again.answer(1, now: now)
        #expect(one.grants == other.grants && one.grants.count == 4)
        #expect(one.subscriber.granted == 8 && other.subscriber.granted == 8)
        #expect(one.streak == other.streak && one.streak.days == 8 && one.badges == [.firstFeedback, .weekStreak])
    }

    @Test func `days are local: half past midnight in Douala is the next day`() async throws {
        let bench = try CopiesBench()
        // 23:30 UTC on the day before is 00:30 in Douala.
        var late = GrantDocument.sample(1)
        late.receivedAt = 1_759_966_200_000
        var early = GrantDocument.sample(2)
        early.receivedAt = 1_759_962_600_000
        try bench.take(bench.grants([late, early]))
        #expect(try await bench.answer(1).subscriber.days.runs == [20_369...20_370])
    }

    @Test func `documents of older dispatchers are placed by their last change`() async throws {
        let bench = try CopiesBench()
        var old = GrantDocument.sample(1, changedAt: 7)
        old.receivedAt = nil
        try bench.take(bench.grants([old]))
        #expect(try await bench.answer(1).grants.first?.receivedAt == old.changedAt)
    }

    @Test func `what cannot be read is left out, and what was removed goes`() async throws {
        let bench = try CopiesBench()
        func record(_ key: String, _ text: String?) -> CopiesBench.Record {
            CopiesBench.Record(key: key, device: 1, document: text.map { Array($0.utf8) })
        }
        try bench.take(
            bench.block(.rewards, .grant, [record("x", "{}"), record("y", "nonsense")]),
            bench.block(.rewards, .balance, [record("1", "[]"), record("one", "{}")]),
            bench.grants([.sample(1), .sample(2)]))
        #expect(try await bench.answer(1).subscriber.granted == 2)
        try bench.take(bench.block(.rewards, .grant, [record(GrantDocument.sample(1).grant, nil), record("z", nil)]))
        #expect(try await bench.answer(1).grants == [.sample(2)])
        #expect(try await bench.answer(1).subscriber.kept == 1)
        try bench.take(bench.block(.rewards, .balance, [record("1", nil)]))
        #expect(try await bench.answer(1).subscriber == Subscriber())
    }

    @Test func `rules and the prompt policy are copied, and their removal too`() async throws {
        let bench = try CopiesBench()
        func record(_ key: String, _ text: String?) -> CopiesBench.Record {
            CopiesBench.Record(key: key, document: text.map { Array($0.utf8) })
        }
        try bench.take(
            bench.block(.operations, .rule, [record("drops", #"{"threshold":5}"#)]),
            bench.block(.operations, .promptPolicy, [CopiesBench.Record(key: "policy", .sample(version: 3))], at: 9))
        let reader = CopiesReader(reader: try bench.database.reader(), timeZone: CopiesBench.timeZone)
        var copies = try await reader.documents()
        #expect(
            copies.documents == [
                .init(kind: "rule", key: "drops", version: nil),
                .init(kind: "prompt_policy", key: "policy", version: 3),
            ])
        #expect(copies.as_of_ms == 1_760_000_000_000)
        try bench.take(bench.block(.operations, .rule, [record("drops", nil)]))
        copies = try await reader.documents()
        #expect(copies.documents.map(\.kind) == ["prompt_policy"])
    }
}
