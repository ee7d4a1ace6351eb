import GRDB
import Lanes
import Models
import Storage
import Testing

@testable import RewardDispatcher

/// What a dispatcher does whose home came out of a backup: the provider knows more than its books.
@Suite struct RestoredGrantsTests {
    private let start = RewardBench.start
    private let settle = RewardBench.schedule.settle

    /// As if the database had come out of a backup.
    private func restore(_ bench: RewardBench, id: String = "r", at time: UnixMilliseconds, awaiting: [String] = [])
        throws
    {
        let restoration = Restoration(
            id: id, backedUpAt: time - 1, restoredAt: time,
            lanes: try bench.database.read { db in
                try [LaneName.rewards: UInt64(5), .batch: 7, .realtime: 7, .privacy: 7].map { lane, generation in
                    // Generations stay, so that the bench's blocks go on.
                    Restoration.Lane(
                        lane: lane, oldGeneration: generation, head: try Cursor.read(lane, db)?.block ?? 0,
                        generation: generation)
                }
            }, readers: [], awaitedErasures: awaiting)
        try restoration.settle(bench.database) { try RestoredGrants.note(restoration, $0) }
        try bench.restart()
    }

    @Test func `what was sent or was still to be sent is asked about before anything is paid`() throws {
        let bench = try RewardBench(callsAtOnce: 1)
        try bench.give([Given(seq: 1), Given(seq: 2)])
        try bench.tick(start)
        #expect(try bench.states() == [.sent, .pending] || bench.states() == [.pending, .sent])
        try restore(bench, at: start + 10)
        try bench.tick(start + 20)
        try bench.tick(start + 21)
        #expect(try bench.states().sorted { $0.rawValue < $1.rawValue } == [.asked, .unknown])
        #expect(bench.takeCalls().map(\.purpose) == [.ask])
        #expect(try bench.total(.float) == 100)
    }

    @Test func `a payment of the lost life is booked and not made again`() throws {
        // One of them is sent in the backup, one was sent only after it.
        let bench = try RewardBench(callsAtOnce: 1)
        try bench.give([Given(seq: 1), Given(seq: 2)])
        try restore(bench, at: start + 10)
        for step in 0..<2 {
            try bench.tick(start + 20 + Int64(step))
            let ask = try #require(bench.takeCalls().first)
            #expect(ask.purpose == .ask)
            bench.effects.answers.add(.confirmed("paid in the lost life"), to: ask)
        }
        try bench.tick(start + 30)
        #expect(try bench.states() == [.confirmed, .confirmed])
        #expect(try bench.total(.paid) == 100 && bench.total(.float) == 0)
        try bench.tick(start + 1_000_000)
        #expect(bench.takeCalls().isEmpty)
    }

    @Test func `what the provider has never heard of is paid, once it certainly is not on the way`() throws {
        let bench = try RewardBench()
        try bench.give([Given()])
        try restore(bench, at: start + 10)
        try bench.tick(start + 20)
        var call = try #require(bench.takeCalls().first)
        bench.effects.answers.add(.notFound, to: call)
        try bench.tick(start + 30)
        #expect(try bench.states() == [.unknown], "an order of the lost life may still arrive")
        // Any attempt before a grant is given up may have been made in the lost life.
        var asked: [Int] = [], now = start + 20 + settle
        while asked.count < RewardBench.schedule.mostAttempts {
            try bench.tick(now)
            call = try #require(bench.takeCalls().first)
            try #require(call.purpose == .ask)
            asked.append(call.attempt)
            bench.effects.answers.add(.notFound, to: call)
            now += 10
        }
        #expect(asked == Array(1...RewardBench.schedule.mostAttempts))
        try bench.tick(now)
        try bench.tick(now + 10_000)
        let pay = try #require(bench.takeCalls().last)
        #expect(pay.purpose == .pay && pay.grant == call.grant && pay.attempt == asked.count + 1)
        #expect(try bench.states() == [.sent])
        #expect(try bench.number("SELECT failures FROM grants") == 0)
    }

    @Test func `a second attempt of the lost life is found, whatever became of the first`() throws {
        let bench = try RewardBench()
        try bench.give([Given()])
        try restore(bench, at: start + 10)
        var now = start + 20 + settle, references: Set<PaymentReference> = []
        for attempt in 1...3 {
            try bench.tick(now)
            let call = try #require(bench.takeCalls().first)
            #expect(call.purpose == .ask && call.attempt == attempt)
            references.insert(call.reference)
            bench.effects.answers.add(
                attempt == 1 ? .failed("busy") : attempt == 2 ? .notFound : .confirmed("x"), to: call)
            now += 10
        }
        try bench.tick(now)
        #expect(references.count == 3)
        #expect(try bench.states() == [.confirmed] && bench.total(.paid) == 50)
        try bench.tick(now + 1_000_000)
        #expect(bench.takeCalls().isEmpty)
    }

    @Test
    func `a grant that is made after the restore is asked about, too, as long as phones may send a feedback again`()
        throws
    {
        let bench = try RewardBench()
        try restore(bench, at: start)
        let late = start + RestoredGrants.sentAgain
        try bench.give([Given(seq: 1, receivedAt: late), Given(seq: 2, receivedAt: late + 1)])
        try bench.tick(late + 2)
        let calls = bench.takeCalls()
        func purpose(_ seq: Int64) -> ProviderCall.Purpose? {
            let id = GrantID(device: 1, campaign: "built-in", record: Given(seq: seq).record)
            return calls.first { $0.grant == id }?.purpose
        }
        #expect(purpose(1) == .ask)
        #expect(purpose(2) == .pay)
    }

    @Test func `many grants are turned in bounded parts, and none is sent meanwhile`() throws {
        let bench = try RewardBench(callsAtOnce: 2)
        let count = RestoredGrants.atOnce + 20
        try bench.give((1...Int64(count)).map { Given(seq: $0) })
        try restore(bench, at: start + 10)
        try bench.tick(start + 20)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'unknown'") == Int64(RestoredGrants.atOnce))
        #expect(bench.takeCalls().isEmpty)
        // A crash in between: those that are left are turned after it.
        try bench.restart()
        try bench.tick(start + 30)
        try bench.tick(start + 31)
        #expect(try bench.number("SELECT count(*) FROM restored_grants") == 0)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'pending'") == 0)
        let calls = bench.takeCalls()
        #expect(!calls.isEmpty && calls.allSatisfy { $0.purpose == .ask })
    }

    @Test func `nobody is paid or asked about before the erasures since the backup have come`() throws {
        let bench = try RewardBench()
        try bench.give([Given(device: 1), Given(device: 2)])
        try restore(bench, at: start + 10, awaiting: ["2"])
        try bench.tick(start + 20)
        try bench.tick(start + 3_000)
        #expect(bench.takeCalls().isEmpty)
        try bench.take(Given.order(1, 2))
        for step in 0..<20 { try bench.tick(start + 5_000 + Int64(step) * 200) }
        let calls = bench.takeCalls()
        #expect(!calls.isEmpty && calls.allSatisfy { $0.purpose == .ask })
        #expect(try bench.number("SELECT count(*) FROM restored_erasures") == 0)
    }

    @Test func `the books balance through a restore`() throws {
        let bench = try RewardBench()
        try bench.give((1...5).map { Given(seq: $0) })
        try bench.tick(start)
        try restore(bench, at: start + 10)
        try bench.tick(start + 20)
        try bench.database.read { try Ledger().check($0) }
        #expect(try bench.total(.float) == 250 && bench.total(.owed) == 0)
    }
}
