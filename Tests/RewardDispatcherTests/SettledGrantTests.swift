import Models
import Testing

@testable import RewardDispatcher

/// What is settled, and told otherwise; and how a provider is asked.
struct SettledGrantTests {
    private let start = RewardBench.start
    private let day: UnixMilliseconds = 86_400_000

    private func core(_ asking: [AskingMode] = [.reference], recheck: UnixMilliseconds? = 86_400_000)
        -> RewardDispatcherCore
    {
        var schedule = RewardBench.schedule
        schedule.recheck = recheck
        schedule.asking = asking
        let grant = Grant(
            RewardBench.campaign(), device: 7, record: RecordIdentifier(device: 7, seq: 1), day: 1, now: start)
        return RewardDispatcherCore(grant, schedule)
    }

    private func due(
        _ core: inout RewardDispatcherCore, at now: UnixMilliseconds, givenAgo: Int64? = nil
    ) throws -> ProviderCall {
        let actions = core.handle(.due(now: now, quietMilliseconds: 1_000_000, givenAgo: givenAgo))
        return try #require(
            actions.compactMap { action in
                if case .call(let call) = action { call } else { nil }
            }.first)
    }

    private func settled(_ answer: ProviderAnswer) throws -> RewardDispatcherCore {
        var core = core()
        let pay = try due(&core, at: start)
        _ = core.handle(.answered(answer, to: pay, now: start + 10))
        return core
    }

    private func isContradiction(_ actions: [RewardDispatcherCore.Action]) -> Bool {
        guard actions.count == 1, case .contradiction = actions[0] else { return false }
        return true
    }

    @Test func `each attempt has a reference of its own, which is asked about, and looks like a UUID`() throws {
        var core = core(recheck: nil)
        let first = try due(&core, at: start)
        _ = core.handle(.answered(.failed("busy"), to: first, now: start))
        let second = try due(&core, at: start + 1_000)
        #expect(second.reference == PaymentReference(core.grant.id, attempt: 2) && second.reference != first.reference)
        _ = core.handle(.answered(.unknown("timeout"), to: second, now: start + 2_000))
        #expect(try due(&core, at: start + 9_000).reference == second.reference)
        let parts = first.reference.uuid.split(separator: "-")
        #expect(parts.map(\.count) == [8, 4, 4, 4, 12] && parts[2].first == "4" && "89ab".contains(parts[3].first!))
        #expect(first.reference.text == parts.joined())
    }

    @Test func `a payment that is taken back goes from paid to the budget, once however often it is told`() throws {
        var core = try settled(.confirmed("x"))
        #expect(core.grant.dueAt == start + 10 + day)
        let ask = try due(&core, at: start + 10 + day)
        #expect(ask.purpose == .ask && ask.providerID == "x" && core.grant.state == .confirmed)
        let changedAt = core.grant.changedAt
        #expect(changedAt == start + 10, "asking again changes nothing that is told")
        let taken = core.handle(.answered(.reversed("no such number"), to: ask, now: start + 20 + day))
        #expect(taken == [.move(from: .paid, to: .budget)] && core.grant.state == .reversed)
        #expect(core.handle(.answered(.reversed("no such number"), to: ask, now: start + 21 + day)) == [])
        #expect(core.grant.dueAt == start + 20 + 2 * day, "what is settled anew is looked at once more")
        let last = try due(&core, at: start + 20 + 2 * day)
        #expect(core.handle(.answered(.reversed("no such number"), to: last, now: start + 21 + 2 * day)) == [])
        #expect(core.grant.dueAt == nil)
    }

    @Test func `a hint before the second look leaves that as it was`() throws {
        for answer in [ProviderAnswer.confirmed("x"), .processing] {
            var core = try settled(.confirmed("x"))
            let hinted = try due(&core, at: start + 1_000)
            #expect(core.handle(.answered(answer, to: hinted, now: start + 1_001)) == [])
            #expect(core.grant.dueAt == start + 10 + day)
        }
    }

    @Test func `a refusal that was none becomes a payment`() throws {
        var core = try settled(.rejected("no"))
        let ask = try due(&core, at: start + 10 + day)
        let told = core.handle(.answered(.confirmed("x"), to: ask, now: start + 20 + day))
        #expect(told == [.move(from: .budget, to: .paid)] && core.grant.state == .confirmed)
    }

    @Test func `a payment taken back before anybody heard of it is paid and taken back in the books`() throws {
        var core = core()
        let pay = try due(&core, at: start)
        #expect(
            core.handle(.answered(.reversed("no"), to: pay, now: start + 1)) == [
                .move(from: .float, to: .paid), .move(from: .paid, to: .budget),
            ])
        #expect(core.grant.state == .reversed)
    }

    @Test func `what is settled is asked about until there is a word, for a week`() throws {
        var core = try settled(.confirmed("x")), asks = 0
        while let now = core.grant.dueAt {
            try #require(asks < 100)
            let ask = try due(&core, at: now)
            asks += 1
            #expect(core.handle(.answered(.processing, to: ask, now: now + 1)) == [])
        }
        #expect(asks == 7)
        core = try settled(.confirmed("x"))
        let ask = try due(&core, at: start + 10 + day)
        #expect(core.handle(.answered(.confirmed("x"), to: ask, now: start + 20 + day)) == [])
        #expect(core.grant.dueAt == nil && core.grant.state == .confirmed)
    }

    @Test func `two attempts that were both paid, and a payment that is denied, are contradictions and move nothing`()
        throws
    {
        var core = core()
        let first = try due(&core, at: start)
        _ = core.handle(.answered(.failed("busy"), to: first, now: start))
        let second = try due(&core, at: start + 1_000)
        _ = core.handle(.answered(.confirmed("late"), to: first, now: start + 1_001))
        #expect(core.grant.state == .confirmed && core.grant.paidAttempt == 1)
        #expect(isContradiction(core.handle(.answered(.confirmed("x"), to: second, now: start + 1_002))))
        var denied = try settled(.confirmed("x"))
        let ask = try due(&denied, at: start + 10 + day)
        #expect(isContradiction(denied.handle(.answered(.notFound, to: ask, now: start + 20 + day))))
        #expect(denied.grant.state == .confirmed)
    }

    @Test func `a provider that knows only its own names is asked by them, and repeated while it knows the key`() throws
    {
        let modes: [AskingMode] = [.providerID, .repeatedKey(within: 150_000)]
        var core = core(modes)
        let pay = try due(&core, at: start)
        _ = core.handle(.answered(.accepted("their-7"), to: pay, now: start + 1))
        let ask = try due(&core, at: start + 1_000, givenAgo: 1_000)
        #expect(ask.purpose == .ask && ask.providerID == "their-7")

        core = self.core(modes)
        let silent = try due(&core, at: start)
        _ = core.handle(.answered(.unknown("timeout"), to: silent, now: start + 1_000))
        let again = try due(&core, at: start + 2_000, givenAgo: 2_000)
        #expect(again.purpose == .payAgain && again.reference == silent.reference && again.attempt == 1)
        #expect(
            core.handle(.answered(.confirmed("x"), to: again, now: start + 2_001)).last
                == .move(from: .float, to: .paid))
    }

    // The world's clock may show anything: what counts is the time that the provider knows the key.
    @Test(arguments: [(nil, 2_000), (150_000, 150_000), (150_000, 2_000), (400_000, -86_400_000)] as [(Int64?, Int64)])
    func `an order that cannot be asked about is neither repeated nor refunded, and waits`(
        givenAgo: Int64?, after: Int64
    ) throws {
        var core = core([.providerID, .repeatedKey(within: 150_000)])
        let silent = try due(&core, at: start)
        _ = core.handle(.answered(.unknown("timeout"), to: silent, now: start + 1_000))
        let actions = core.handle(
            .due(now: start + after, quietMilliseconds: 1_000_000, givenAgo: givenAgo))
        #expect(actions == [] && core.grant.state == .unknown && core.grant.reason.contains("cannot be asked"))
        #expect(core.grant.dueAt == start + after + RewardBench.schedule.longestPause)
    }

    @Test func `a person's word settles what nobody can be asked about, and nothing else`() throws {
        func waiting() throws -> RewardDispatcherCore {
            var core = core([.providerID])
            _ = core.handle(.answered(.silent("timeout"), to: try due(&core, at: start), now: start + 1_000))
            #expect(core.handle(.due(now: start + 2_000, quietMilliseconds: 1_000_000)) == [])
            return core
        }
        var paid = try waiting()
        #expect(
            paid.handle(.decided(.paid, why: "statement of June", now: start + 3_000)) == [
                .move(from: .float, to: .paid)
            ])
        #expect(paid.grant.state == .confirmed && paid.grant.paidAttempt == 1)
        #expect(paid.handle(.decided(.rejected, why: "no", now: start + 4_000)) == [] && paid.grant.state == .confirmed)
        var failed = try waiting()
        #expect(
            failed.handle(.decided(.failed, why: "not there", now: start + 3_000)) == [.move(from: .float, to: .owed)])
        #expect(try due(&failed, at: start + 9_000).attempt == 2)
        var rejected = try waiting()
        #expect(
            rejected.handle(.decided(.rejected, why: "not there", now: start + 3_000)) == [
                .move(from: .float, to: .budget)
            ])
        #expect(rejected.grant.state == .rejected && rejected.grant.reason == "decided: not there")
    }

    @Test func `an empty float uses up no attempt, however often, and each one has a reference of its own`() throws {
        var core = core(recheck: nil), references: Set<PaymentReference> = [], now = start
        for _ in 0..<40 {
            let pay = try due(&core, at: now)
            #expect(pay.purpose == .pay && references.insert(pay.reference).inserted)
            _ = core.handle(.answered(.processing, to: pay, now: now + 1))
            let ask = try due(&core, at: now + 10_000)
            let actions = core.handle(
                .answered(.unfunded("NOT_ENOUGH_FUNDS", isReferenceUsed: true), to: ask, now: now + 10_001))
            #expect(actions == [.move(from: .float, to: .owed)] && core.grant.state == .pending)
            now += 1_000_000
        }
        #expect(core.grant.failures == 0 && core.grant.attempts == 40)
        let last = try due(&core, at: now)
        #expect(core.handle(.answered(.confirmed("x"), to: last, now: now)).last == .move(from: .float, to: .paid))
        // Where the order was not taken up at all the same reference is given again.
        var refused = self.core(recheck: nil)
        let first = try due(&refused, at: start)
        _ = refused.handle(.answered(.unfunded("balance", isReferenceUsed: false), to: first, now: start + 1))
        #expect(try due(&refused, at: start + 1_000_000).reference == first.reference)
    }

    @Test func `of a restored grant every attempt is asked about that an empty float may have made`() throws {
        var core = core(recheck: nil)
        _ = core.handle(.restored(now: start))
        var asked: [Int] = [], paid = false
        while core.grant.state != .pending, core.grant.state != .confirmed {
            try #require(asked.count < 100)
            let ask = try due(&core, at: start + 1_000)
            asked.append(ask.attempt)
            // The lost life found nothing to pay from twenty times; the 30th attempt was paid.
            let answer: ProviderAnswer =
                switch ask.attempt {
                case 30: .confirmed("x")
                case 1...20: .unfunded("NOT_ENOUGH_FUNDS", isReferenceUsed: true)
                default: .failed("busy")
                }
            if case .confirmed = answer { paid = true }
            _ = core.handle(.answered(answer, to: ask, now: start + 1_001))
        }
        #expect(asked == Array(1...30) && paid && core.grant.paidAttempt == 30)
    }
}
