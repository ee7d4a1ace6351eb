import Models
import Testing

@testable import RewardDispatcher

/// How often a provider is called: so many a second, and not while it does not answer.
struct CallPaceTests {
    @Test func `no more calls are made in any second than the limit, and none is lost`() {
        var rate = CallRate(perSecond: 10, at: 0), made: [Int64] = []
        for time in stride(from: Int64(0), through: 10_000, by: 7) {
            let room = rate.room(at: time)
            rate.take(room)
            made += Array(repeating: time, count: room)
            #expect(rate.pause <= 100)
        }
        #expect(made.count >= 105 && made.count <= 110)
        for start in made { #expect(made.count { $0 >= start + 1 && $0 <= start + 1_000 } <= 11) }
        var unlimited = CallRate(perSecond: 0, at: 0)
        unlimited.take(1_000)
        #expect(unlimited.room(at: 0) == .max && unlimited.pause == 0)
    }

    @Test func `after so many calls without use one is tried after a pause that doubles, until it brings something`()
        throws
    {
        var breaker = CircuitBreaker(most: 3)
        for answer in [ProviderAnswer.unknown(""), .notTaken(""), .rejected(""), .unknown(""), .unknown("")] {
            breaker.note(answer, at: 0)
        }
        #expect(breaker.room(8, underWay: 0, at: 0) == 8, "a refusal is an answer")
        breaker.note(.unknown(""), at: 0)
        var pauses: [Int64] = [], now: Int64 = 0
        for _ in 0..<9 {
            let until = try #require(breaker.openUntil)
            #expect(breaker.room(8, underWay: 0, at: until - 1) == 0)
            #expect(breaker.room(8, underWay: 0, at: until) == 1 && breaker.room(8, underWay: 1, at: until) == 0)
            pauses.append(until - now)
            now = until
            breaker.note(.unknown(""), at: now)
        }
        #expect(pauses == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
        breaker.note(.processing, at: now)
        #expect(!breaker.isOpen && breaker.room(8, underWay: 0, at: now) == 8)
    }

    @Test func `a provider that is away rejects nobody, however long, and pays when it is back`() throws {
        let start = RewardBench.start
        let bench = try RewardBench(breaker: 3)
        try bench.give((1...20).map { Given(seq: $0) })
        var now = start, calls = 0
        while now < start + 7_200_000 {
            try bench.tick(now)
            for call in bench.takeCalls() {
                calls += 1
                bench.effects.answers.add(.notTaken("no connection"), to: call)
            }
            now = max(now + 10, min(bench.effects.nextTick ?? .max, now + 10_000))
        }
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'pending'") == 20)
        #expect(calls < 200, "\(calls) calls in two hours")
        for _ in 0..<200 {
            now += 1_000
            try bench.tick(now)
            for call in bench.takeCalls() {
                #expect(call.attempt == 1)
                bench.effects.answers.add(.confirmed("x"), to: call)
            }
        }
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'confirmed'") == 20)
    }
}
