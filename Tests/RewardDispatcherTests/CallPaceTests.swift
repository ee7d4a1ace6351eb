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
        for answer in [ProviderAnswer.silent(""), .notTaken(""), .rejected(""), .silent(""), .silent("")] {
            breaker.note(answer, at: 0)
        }
        #expect(breaker.room(8, underWay: 0, at: 0) == 8, "a refusal is an answer")
        // So is one that helps nobody, and that nothing is left to pay from.
        for _ in 0..<5 { breaker.note(.unknown("answered 404"), at: 0) }
        for _ in 0..<5 { breaker.note(.unfunded("", isReferenceUsed: false), at: 0) }
        for _ in 0..<3 { breaker.note(.silent(""), at: 0) }
        // Those that were on the way when it opened say nothing new.
        for _ in 0..<9 { breaker.note(.silent(""), at: 500) }
        var pauses: [Int64] = [], now: Int64 = 0
        for _ in 0..<9 {
            let until = try #require(breaker.openUntil)
            #expect(breaker.room(8, underWay: 0, at: until - 1) == 0)
            #expect(breaker.room(8, underWay: 0, at: until) == 1 && breaker.room(8, underWay: 1, at: until) == 0)
            pauses.append(until - now)
            now = until
            breaker.note(.silent(""), at: now)
        }
        #expect(pauses == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
        breaker.note(.unknown("answered 404"), at: now)
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

    private func order(_ amount: Int64 = 50) -> ProviderCall {
        let grant = GrantID(device: 1, campaign: "c", record: RecordIdentifier(device: 1, seq: 1))
        var call = ProviderCall(
            purpose: .pay, grant: grant, reference: PaymentReference(grant, attempt: 1), device: 1, amount: amount,
            attempt: 1, ask: 0, at: 0, quietMilliseconds: 0)
        call.recipient = PayoutNumber(phone: "+237670000001", operator: "62401")
        return call
    }

    @Test func `with nothing left one order is tried after a pause that doubles, until one is paid`() {
        var gate = FloatGate(), tried: [Int64] = []
        let open = [gate.admits(at: 0), gate.admits(at: 0)]
        #expect(open == [true, true])
        for _ in 0..<3 { gate.note(order(), .unfunded("", isReferenceUsed: true), at: 0) }
        for minute in 0..<120 as Range<Int64> {
            for _ in 0..<2 where gate.admits(at: minute * 60_000) { tried.append(minute) }
        }
        #expect(tried == [1, 3, 7, 15, 30, 45, 60, 75, 90, 105])
        gate.note(order(), .accepted("may come to nothing"), at: 7_200_000)
        #expect(gate.isShut)
        gate.note(order(), .confirmed("x"), at: 7_200_000)
        let isOpen = gate.admits(at: 7_200_000)
        #expect(!gate.isShut && isOpen)
    }

    @Test func `with nothing left a look that finds enough opens the gate, and one that finds too little does not`() {
        var gate = FloatGate()
        let isOpened = gate.note(left: 1_000_000)
        #expect(!isOpened, "it was open")
        gate.note(order(500), .unfunded("", isReferenceUsed: true), at: 0)
        let tooLittle = [gate.note(left: 0), gate.note(left: 499), gate.admits(at: 1)]
        #expect(tooLittle == [false, false, false])
        let enough = [gate.note(left: 500), gate.admits(at: 1)]
        #expect(enough == [true, true])
    }

    @Test func `an order is repeatable by the time since it was first given, whatever clocks are set or stand still`() {
        var calls = CallsUnderWay(settle: 60_000, repeatable: 150_000, startedAt: 0), again = order()
        calls.begin([again], givenAt: 0)
        #expect(calls.given(again.grant, at: 10) == nil, "it is under way")
        calls.end(again, .silent(""), at: 1_000)
        #expect(calls.given(again.grant, at: 90_000)?.ago == 90_000)
        again = ProviderCall(
            purpose: .payAgain, grant: again.grant, reference: again.reference, device: 1, amount: 50, attempt: 1,
            ask: 1,
            at: 0, quietMilliseconds: 0, recipient: again.recipient)
        calls.begin([again], givenAt: 100_000)
        calls.end(again, .processing, at: 100_100)
        // Counted from the first; by the clock that did not stand still.
        #expect(calls.given(again.grant, at: 900_000)?.ago == 900_000)
        var next = order()
        next = ProviderCall(
            purpose: .pay, grant: next.grant, reference: PaymentReference(next.grant, attempt: 2), device: 1,
            amount: 50,
            attempt: 2, ask: 0, at: 0, quietMilliseconds: 0, recipient: next.recipient)
        calls.begin([next], givenAt: 1_000_000)
        calls.end(next, .silent(""), at: 200_000)
        #expect(calls.given(next.grant, at: 1_000_001)?.ago == 1)
    }

    @Test func `orders wait for the float and are paid once it is back, however long that takes`() throws {
        let start = RewardBench.start
        let bench = try RewardBench()
        try bench.give((1...20).map { Given(seq: $0) })
        var now = start, orders = 0
        while now < start + 86_400_000 {
            try bench.tick(now)
            for call in bench.takeCalls() {
                orders += 1
                bench.effects.answers.add(.unfunded("NOT_ENOUGH_FUNDS", isReferenceUsed: true), to: call)
            }
            now = max(now + 1_000, min(bench.effects.nextTick ?? .max, now + 60_000))
        }
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'pending'") == 20)
        #expect(orders < 150, "\(orders) orders in a day without a float")
        bench.news.put(FloatNews.Look(left: 10_000, low: 5_000))
        for _ in 0..<100 {
            try bench.tick(now)
            for call in bench.takeCalls() { bench.effects.answers.add(.confirmed("x"), to: call) }
            now += 1_000
        }
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'confirmed'") == 20)
        #expect(try bench.providerStates().map { [$0.isLow, $0.isUnfunded] } == [[false, true], [false, false]])
    }

    @Test func `little float is told once, and once when it is over`() throws {
        let bench = try RewardBench()
        for (step, left) in [9_000, 4_000, 3_000, 3_500, 8_000, 9_000].enumerated() {
            bench.news.put(FloatNews.Look(left: Int64(left), low: 5_000))
            #expect(bench.effects.nextTick == 0)
            try bench.tick(RewardBench.start + Int64(step))
            if step == 3 { try bench.restart() }
        }
        let told = try bench.providerStates()
        #expect(told.map(\.isLow) == [true, false] && told.map(\.floatXAF) == [4_000, 8_000])
    }
}
