import Lanes
import Models
import ServiceKit
import Storage
import Testing

@testable import RewardDispatcher

/// What persons decide about grants that nobody can be asked about.
struct GrantDecisionTests {
    private let start = RewardBench.start

    /// A provider that cannot be asked, and one grant of unknown outcome.
    private func bench(_ asking: [AskingMode] = [.providerID]) throws -> (RewardBench, GrantID) {
        var schedule = RewardBench.schedule
        schedule.asking = asking
        let bench = try RewardBench(schedule: schedule)
        try bench.give([Given(seq: 1)])
        try bench.tick(start)
        let call = try #require(bench.takeCalls().first)
        bench.effects.answers.add(.silent("no answer"), to: call)
        try bench.tick(start + 10)
        try bench.tick(start + 10_000)
        return (bench, call.grant)
    }

    private func decide(_ bench: RewardBench, _ grant: GrantID, _ result: DecidedResult) throws {
        try bench.database.write {
            try bench.effects.take(GrantDecision(grant, result, by: "ann", why: "statement of June, line 7"), $0)
        }
    }

    @Test func `a grant that nobody can be asked about is listed, and settled as a person says`() throws {
        let (bench, grant) = try bench()
        let waiting = try bench.database.read { try RewardDispatcherStore().waitingForPerson(limit: 10, $0) }
        #expect(waiting.count == 1 && waiting.first.map(\.id) == [grant])
        try decide(bench, grant, .paid)
        #expect(bench.effects.nextTick == 0)
        try bench.tick(start + 20_000)
        #expect(try bench.states() == [.confirmed] && bench.total(.paid) == 50 && bench.total(.float) == 0)
        let told: [RewardDecisionDocument] = try bench.told(.rewardDecision)
        #expect(
            told == [
                RewardDecisionDocument(
                    decision: "paid", campaign: "built-in", amountXAF: 50, by: "ann", why: "statement of June, line 7")
            ])
        #expect(bench.reports.flatMap(\.decisions).map(\.isBooked) == [true])
    }

    @Test func `a decision that is on disk is booked by the next life, once`() throws {
        let (bench, grant) = try bench()
        try decide(bench, grant, .rejected)
        try bench.restart()
        for step in 1...3 as ClosedRange<Int64> { try bench.tick(start + step * 20_000) }
        #expect(try bench.states() == [.rejected] && bench.total(.budget) == 0)
        let told: [RewardDecisionDocument] = try bench.told(.rewardDecision)
        #expect(told.count == 1)
    }

    @Test func `what is failed by a person's word is paid again, under another reference`() throws {
        let (bench, grant) = try bench()
        try decide(bench, grant, .failed)
        try bench.tick(start + 20_000)
        try bench.tick(start + 40_000)
        let call = try #require(bench.takeCalls().first)
        #expect(call.purpose == .pay && call.reference == PaymentReference(grant, attempt: 2))
    }

    @Test func `there is nothing to decide about what is settled, can be asked about, or is not there`() throws {
        let (bench, grant) = try bench([.reference])
        let error = #expect(throws: ControlError.self) { try decide(bench, grant, .paid) }
        #expect(error?.code == "refused")
        for call in bench.takeCalls() { bench.effects.answers.add(.confirmed("x"), to: call) }
        try bench.tick(start + 20_000)
        #expect(throws: ControlError.self) { try decide(bench, grant, .rejected) }
        let missing = #expect(throws: ControlError.self) { try decide(bench, GrantID(1, 2), .rejected) }
        #expect(missing?.code == "not_found")
        #expect(try bench.number("SELECT count(*) FROM grant_decisions") == 0)
    }

    @Test func `arguments at fault are named, and free words hold no number`() throws {
        func fault(_ arguments: JSONValue) -> String? {
            do {
                _ = try GrantDecision(arguments)
                return nil
            } catch { return (error as? ControlError)?.field }
        }
        let id = String(repeating: "a", count: 32), long = String(repeating: "x", count: 101)
        #expect(fault(["grant": "x", "as": "paid", "by": "ann", "why": "y"]) == "grant")
        #expect(fault(["grant": .string(id), "as": "lost", "by": "ann", "why": "y"]) == "as")
        #expect(fault(["grant": .string(id), "as": "paid", "by": "", "why": "y"]) == "by")
        #expect(fault(["grant": .string(id), "as": "paid", "by": "ann", "why": .string(long)]) == "why")
        let decision = try GrantDecision(
            ["grant": .string(id), "as": "paid", "by": "ann", "why": "237670000001 said so"])
        #expect(decision.why == "… said so")
    }
}
