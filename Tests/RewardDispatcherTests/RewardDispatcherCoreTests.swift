import Models
import Testing

@testable import RewardDispatcher

struct RewardDispatcherCoreTests {
    private let schedule = RewardBench.schedule
    private let start = RewardBench.start

    private func core() -> RewardDispatcherCore {
        let grant = Grant(
            RewardBench.campaign(), device: 7, record: RecordIdentifier(device: 7, seq: 1), day: 1, now: start)
        return RewardDispatcherCore(grant, schedule)
    }

    private func call(_ actions: [RewardDispatcherCore.Action]) throws -> ProviderCall {
        try #require(
            actions.compactMap { action in
                if case .call(let call) = action { call } else { nil }
            }.first)
    }

    @Test func `a grant that is due is sent, and its amount leaves what is owed`() throws {
        var core = core()
        let actions = core.handle(.due(now: start, quietMilliseconds: 0))
        #expect(actions.first == .move(from: .owed, to: .float))
        #expect(try call(actions).purpose == .pay)
        #expect(core.grant.state == .sent && core.grant.attempts == 1)
    }

    @Test func `what was sent before a restart is asked about and never sent again`() throws {
        var core = core()
        _ = core.handle(.due(now: start, quietMilliseconds: 0))
        #expect(core.handle(.restarted(now: start + 1)) == [])
        #expect(core.grant.state == .unknown && core.grant.dueAt == start + 1)
        #expect(try call(core.handle(.due(now: start + 1, quietMilliseconds: 0))).purpose == .ask)
    }

    @Test func `a confirmation pays, and nothing that comes later changes it`() throws {
        var core = core()
        let pay = try call(core.handle(.due(now: start, quietMilliseconds: 0)))
        #expect(core.handle(.answered(.confirmed("x"), to: pay, now: start + 5)) == [.move(from: .float, to: .paid)])
        let settled = core.grant
        for answer in [ProviderAnswer.confirmed("y"), .rejected(""), .failed(""), .notFound, .unknown("")] {
            #expect(core.handle(.answered(answer, to: pay, now: start + 9)) == [])
        }
        #expect(core.handle(.restarted(now: start + 9)) == [])
        #expect(core.grant == settled && settled.state == .confirmed && settled.dueAt == nil)
    }

    @Test func `a provider that never heard of it is believed only if asked after the call has settled`() throws {
        var core = core()
        _ = core.handle(.due(now: start, quietMilliseconds: 0))
        _ = core.handle(.restarted(now: start))
        // Whatever the world's clock says.
        let hour: UnixMilliseconds = 3_600_000
        let early = try call(core.handle(.due(now: start + hour, quietMilliseconds: schedule.settle - 1)))
        #expect(core.handle(.answered(.notFound, to: early, now: start + 2 * hour)) == [])
        #expect(core.grant.state == .unknown)
        let late = try call(core.handle(.due(now: start, quietMilliseconds: schedule.settle)))
        #expect(core.handle(.answered(.notFound, to: late, now: start)) == [.move(from: .float, to: .owed)])
        #expect(core.grant.state == .pending && core.grant.attempts == 1)
    }

    @Test func `what may still be settling is asked about again when it has settled`() throws {
        var core = core()
        _ = core.handle(.due(now: start, quietMilliseconds: 0))
        _ = core.handle(.restarted(now: start))
        let early = try call(core.handle(.due(now: start, quietMilliseconds: 1_000)))
        _ = core.handle(.answered(.notFound, to: early, now: start))
        #expect(core.grant.dueAt == start + schedule.settle - 1_000)
    }

    @Test func `while it is being paid it is neither asked about nor paid again`() throws {
        var core = core()
        _ = core.handle(.due(now: start, quietMilliseconds: 0))
        let hour: UnixMilliseconds = 3_600_000
        #expect(core.handle(.due(now: start + hour, quietMilliseconds: nil)) == [])
        #expect(core.grant.state == .sent && core.grant.attempts == 1 && core.grant.asks == 0)
        #expect(try #require(core.grant.dueAt) > start + hour)
    }

    @Test func `an answer to an earlier question or attempt is not taken for the present one`() throws {
        var core = core()
        let first = try call(core.handle(.due(now: start, quietMilliseconds: 0)))
        _ = core.handle(.answered(.failed("busy"), to: first, now: start))
        #expect(core.grant.state == .pending)
        let second = try call(core.handle(.due(now: start + 1_000, quietMilliseconds: 0)))
        #expect(second.attempt == 2)
        #expect(core.handle(.answered(.failed("busy"), to: first, now: start + 1_001)) == [])
        #expect(core.handle(.answered(.rejected("no"), to: first, now: start + 1_001)) == [])
        #expect(core.grant.state == .sent)
    }

    @Test func `an unknown outcome is neither refunded nor sent again, however often nobody knows`() throws {
        var core = core()
        let pay = try call(core.handle(.due(now: start, quietMilliseconds: 0)))
        var now = start + 1_000
        _ = core.handle(.answered(.unknown("timeout"), to: pay, now: now))
        for _ in 0..<100 {
            now = try #require(core.grant.dueAt)
            let ask = try call(core.handle(.due(now: now, quietMilliseconds: 0)))
            #expect(ask.purpose == .ask)
            #expect(core.handle(.answered(.unknown("timeout"), to: ask, now: now + 1_000)) == [])
            #expect(core.grant.state == .unknown)
            #expect(try #require(core.grant.dueAt) <= now + 1_000 + schedule.longestPause)
        }
    }

    @Test func `pauses double, are spread by at most a quarter, and end at the longest`() {
        let id = core().grant.id
        let pauses = (1...8).map { schedule.pause(after: $0, id) }
        for (place, pause) in pauses.enumerated() {
            let whole = min(schedule.firstPause << Int64(place), schedule.longestPause)
            #expect((whole * 3 / 4...whole).contains(pause))
        }
        #expect(schedule.pause(after: 1_000_000, id) == pauses[7])
    }

    @Test func `after the last attempt that certainly failed the budget has its money back`() throws {
        var core = core()
        var now = start
        for attempt in 1...schedule.mostAttempts {
            now = try #require(core.grant.dueAt)
            let pay = try call(core.handle(.due(now: now, quietMilliseconds: 0)))
            let actions = core.handle(.answered(.failed("busy"), to: pay, now: now))
            #expect(actions == [.move(from: .float, to: attempt == schedule.mostAttempts ? .budget : .owed)])
        }
        #expect(core.grant.state == .rejected && core.grant.reason.contains("given up"))
    }

    @Test func `a call nobody answers is asked about by itself`() throws {
        var core = core()
        _ = core.handle(.due(now: start, quietMilliseconds: 0))
        let due = try #require(core.grant.dueAt)
        #expect(due > start + schedule.callTimeout)
        #expect(try call(core.handle(.due(now: due, quietMilliseconds: 0))).purpose == .ask)
        #expect(core.handle(.due(now: try #require(core.grant.dueAt), quietMilliseconds: 0)) == [])
        #expect(core.grant.state == .unknown)
    }

    private func erasedCore(_ prepare: (inout RewardDispatcherCore) throws -> Void) rethrows -> RewardDispatcherCore {
        var before = core()
        try prepare(&before)
        var grant = before.grant
        grant.erased = ErasedGrant(owner: "erased-1", id: GrantID(1, 2))
        return RewardDispatcherCore(grant, schedule)
    }

    @Test func `an erased grant that was not paid is rejected out of what is owed`() {
        var core = erasedCore { _ in }
        #expect(core.handle(.erased(isBusy: false, now: start + 1)) == [.move(from: .owed, to: .budget)])
        #expect(core.grant.state == .rejected && core.grant.dueAt == nil)
    }

    @Test func `an erased grant about which a call is under way waits for its end`() throws {
        var asks: [ProviderCall] = []
        func pending() throws -> RewardDispatcherCore {
            try erasedCore { core in
                let pay = try call(core.handle(.due(now: start, quietMilliseconds: 0)))
                asks = [pay]
                _ = core.handle(.answered(.failed("busy"), to: pay, now: start + 1))
            }
        }
        var core = try pending()
        #expect(core.handle(.erased(isBusy: true, now: start + 2)) == [])
        let due = try #require(core.grant.dueAt)
        #expect(core.grant.state == .pending && due == start + 2 + 2 * schedule.callTimeout)
        #expect(core.handle(.due(now: due, quietMilliseconds: 0)) == [.move(from: .owed, to: .budget)])
        #expect(core.grant.state == .rejected)
        core = try pending()
        _ = core.handle(.erased(isBusy: true, now: start + 2))
        let late = core.handle(.answered(.confirmed("x"), to: asks[0], now: start + 3))
        #expect(late == [.move(from: .owed, to: .float), .move(from: .float, to: .paid)])
    }

    @Test func `an erased grant under way is asked about, and rejected rather than sent again`() throws {
        var core = try erasedCore { core in
            _ = try call(core.handle(.due(now: start, quietMilliseconds: 0)))
            _ = core.handle(.restarted(now: start))
        }
        #expect(core.handle(.erased(isBusy: false, now: start)) == [])
        let ask = try call(core.handle(.due(now: start + 1, quietMilliseconds: schedule.settle)))
        #expect(ask.purpose == .ask)
        #expect(core.handle(.answered(.notFound, to: ask, now: start + 2)) == [.move(from: .float, to: .budget)])
        #expect(core.grant.state == .rejected)
    }
}
