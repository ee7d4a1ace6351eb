import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import TemporaryFiles
import Testing
import Wire

@testable import RewardDispatcher

struct RewardErasureTests {
    private let start = RewardBench.start

    private func states(_ bench: RewardBench, _ sql: String) throws -> [String] {
        try bench.database.read { try String.fetchAll($0, sql: "SELECT state FROM grants WHERE \(sql) ORDER BY state") }
    }

    @Test func `grants in every state lose their subject, and what is under way keeps its reference alone`() throws {
        let bench = try RewardBench()
        _ = try bench.makeAllStates(of: [1, 2])
        let others = try bench.dump(without: 1).dropLast(4)
        let total = try bench.total(.paid)
        try bench.erase(1)
        #expect(try bench.dump(without: 1).dropLast(4) == others)
        #expect(try bench.receipts().count == 1)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE device = 1") == 0)
        #expect(
            try states(bench, "device = 0") == [
                "asked", "confirmed", "rejected", "rejected", "rejected", "sent", "unknown",
            ])
        for seq in 1...7 as ClosedRange<Int64> {
            let isKept = try bench.database.read { try RewardDispatcherStore().grant(bench.id(1, seq), $0) } != nil
            #expect(isKept == (4...6).contains(seq))
            #expect(
                try bench.number(
                    "SELECT count(*) FROM ledger_entries WHERE transaction_id GLOB '\(bench.id(1, seq).text)*'") == 0)
        }
        #expect(try bench.number("SELECT count(*) FROM grants WHERE device = 0 AND reason <> ''") == 0)
        #expect(try bench.number("SELECT count(*) FROM ledger_entries WHERE owner = '1'") == 0)
        #expect(try bench.number("SELECT count(DISTINCT owner) FROM ledger_entries WHERE owner GLOB 'erased-*'") == 1)
        #expect(try bench.total(.paid) == total && bench.total(.owed) == 100 && bench.total(.float) == 300)
        #expect(try bench.number("SELECT sum(amount) FROM grants") == 14 * 50)
    }

    @Test func `nothing is told of an erased grant, neither when it is erased nor when it is settled`() throws {
        let bench = try RewardBench()
        let open = try bench.makeAllStates(of: [1])
        try bench.erase(1)
        let settled = try open.map { call -> EffectOutcome in
            bench.effects.answers.add(.confirmed("x"), to: call)
            return try bench.tick(start + 1_000)
        }
        // Figures of a campaign are about nobody.
        let figures = RecordKind.campaignDay.id
        #expect(settled.flatMap { $0.appended.flatMap(\.blocks) }.allSatisfy { $0.header.kind == figures })
        let page = try Journal.read(lane: .rewards, from: bench.database.reader(), after: 0)
        #expect(page.blocks.allSatisfy { $0.header.subjects.isEmpty })
        let told = Set(page.blocks.map(\.header.kind)).subtracting([figures])
        #expect(told == [RecordKind.erasureReceipt.id, RecordKind.verificationKey.id])
    }

    @Test func `what was under way is settled as the provider says, and loses its reference then`() throws {
        let bench = try RewardBench()
        let open = try bench.makeAllStates(of: [1])
        try bench.erase(1)
        let sent = try #require(open.first { $0.grant == bench.id(1, 4) })
        let asked = try #require(open.first { $0.grant == bench.id(1, 6) })
        bench.effects.answers.add(.confirmed("x"), to: sent)
        bench.effects.answers.add(.rejected("no"), to: asked)
        try bench.tick(start + 1_000)
        try bench.checkBooks()
        #expect(try bench.total(.paid) == 100 && bench.total(.float) == 50)
        // The one nobody knows about is asked about, without a device, and given up as soon as it certainly was not paid.
        for now in stride(from: start + 100_000, to: start + 120_000, by: 500) {
            try bench.tick(now)
            for call in bench.takeCalls() {
                #expect(call.purpose == .ask && call.device == 0 && call.grant == bench.id(1, 5))
                bench.effects.answers.add(.notFound, to: call)
            }
        }
        #expect(try bench.total(.float) == 0 && bench.total(.owed) == 0 && bench.total(.paid) == 100)
        #expect(try states(bench, "device = 0").filter { $0 == "confirmed" }.count == 2)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE id <> erased_id OR reason <> ''") == 0)
        try bench.tick(start + 300_000)
        #expect(try bench.number("SELECT count(*) FROM replaced_references") == 0)
    }

    @Test func `a provider that changes its mind after the end changes nothing`() throws {
        let bench = try RewardBench()
        let open = try bench.makeAllStates(of: [1])
        try bench.erase(1)
        for call in open { bench.effects.answers.add(.confirmed("x"), to: call) }
        try bench.tick(start + 1_000)
        func all() throws -> [String] {
            try bench.database.read { db in
                try ["grants", "ledger_entries"].flatMap {
                    try Row.fetchAll(db, sql: "SELECT * FROM \($0)").map { "\($0)" }
                }
            }
        }
        let before = try all()
        for call in open {
            for answer in [
                ProviderAnswer.rejected("taken back"), .failed("late"), .unknown("late"), .confirmed("again"),
            ] {
                bench.effects.answers.add(answer, to: call)
                try bench.tick(start + 1_100)
            }
        }
        #expect(try all() == before)
        try bench.restart()
        try bench.tick(start + 2_000)
        #expect(bench.takeCalls().allSatisfy { $0.purpose == .ask && $0.grant == bench.id(1, 5) })
    }

    @Test func `an answer that comes between two slices is booked under the subject's new name`() throws {
        let bench = try RewardBench(callsAtOnce: 1_000)
        try bench.give((1...130).map { Given(device: 1, seq: $0) })
        try bench.tick(start)
        let calls = bench.takeCalls()
        #expect(calls.count == 130)
        try bench.engine.step([Given.order(bench.nextNumber(on: .privacy), 1)], now: start + 1)
        for call in calls {
            bench.effects.answers.add(.confirmed("x"), to: call)
            try bench.tick(start + 2)
        }
        try bench.settle(at: start + 3)
        #expect(try bench.receipts().count == 1 && bench.total(.paid) == 130 * 50)
        #expect(try bench.number("SELECT count(DISTINCT owner) FROM ledger_entries WHERE account = 'paid'") == 1)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE id = erased_id AND device = 0") == 130)
    }

    @Test(arguments: 1...14)
    func `a crash after any commit ends the same, with one new name`(crash: Int) throws {
        let bench = try RewardBench(callsAtOnce: 70)
        try bench.give((1...120).map { Given(device: 1, seq: $0) } + [Given(device: 2)])
        try bench.tick(start)
        try bench.engine.step([Given.order(bench.nextNumber(on: .privacy), 1)], now: start + 1)
        for _ in 1..<crash { try bench.engine.step([], now: start + 1) }
        try bench.restart()
        try bench.settle(at: start + 2)
        #expect(try bench.receipts().count == 1)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE device = 1") == 0)
        #expect(try bench.number("SELECT count(*) FROM erasing_subjects") == 0)
        #expect(try bench.number("SELECT count(DISTINCT owner) FROM ledger_entries WHERE owner GLOB 'erased-*'") == 1)
        #expect(try bench.number("SELECT count(*) FROM ledger_entries WHERE owner = '1'") == 0)
    }

    @Test func `a number goes at once, and who waited behind it is paid`() throws {
        let directory = try TemporaryDirectory()
        let keys = try PayoutKeys(KeyStore(directory: directory.path + "/keys"))
        let bench = try RewardBench(payoutKeys: keys)
        var payouts = PayoutBench(keys)
        try bench.take(payouts.block((1...4).map { ($0, "+237670000001") }))
        try bench.give((1...4).map { Given(device: $0) })
        try bench.tick(start)
        #expect(Set(bench.takeCalls().map(\.device)) == [1, 2, 3])
        let others = try bench.dump(without: 1)
        try bench.erase(1, at: start + 1)
        #expect(try bench.dump(without: 1) == others)
        #expect(try bench.number("SELECT count(*) FROM payouts WHERE device = 1") == 0)
        // The number, the grant, what was told twice of it and of the balance, the day, its record and what was told of them.
        #expect(try bench.receipts().map(\.removed) == [9])
        // A number that was on its way to the dispatcher is not kept either, while the order is open.
        let barrier = Position(lane: .requests, generation: 7, block: 2)
        try bench.engine.step([Given.order(bench.nextNumber(on: .privacy), 2, barriers: [barrier])], now: start + 2)
        try bench.take(payouts.block([(2, "+237670000002"), (3, "+237670000003")]))
        try bench.settle(at: start + 3)
        #expect(try bench.number("SELECT count(*) FROM payouts WHERE device = 2") == 0)
        try bench.tick(start + RewardDispatcherCore.holdPause)
        let paid = bench.takeCalls().filter { $0.purpose == .pay }
        #expect(paid.map(\.device) == [4] && paid.map(\.recipient?.phone) == ["+237670000001"])
    }

    @Test func `a part of a subject's records touches no reward and is signed at once`() throws {
        let bench = try RewardBench()
        _ = try bench.makeAllStates(of: [1])
        let before = try bench.dump(without: 9)
        try bench.erase(1, scope: ErasureScope(from: 0, to: nil, cells: nil, requestedAt: start + 86_400_000))
        #expect(try bench.dump(without: 9) == before)
        #expect(try bench.receipts().map(\.removed) == [0])
    }

    @Test func `feedback and numbers of an erased device that come late are not taken`() throws {
        let bench = try RewardBench()
        let barrier = Position(lane: .batch, generation: 7, block: 2)
        try bench.engine.step([Given.order(bench.nextNumber(on: .privacy), 1, barriers: [barrier])], now: start)
        try bench.give([Given(device: 1), Given(device: 2)])
        try bench.settle(at: start)
        #expect(try bench.receipts().isEmpty)
        try bench.give([Given(device: 1, seq: 2)])
        try bench.settle(at: start)
        #expect(try bench.receipts().count == 1)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE device = 2") == 1)
        #expect(try bench.number("SELECT count(*) FROM grants") == 1)
    }

    @Test(arguments: [
        "UPDATE ledger_entries SET amount = 1", "UPDATE ledger_entries SET sign = -sign",
        "UPDATE ledger_entries SET at = 9", "UPDATE ledger_entries SET account = 'paid' WHERE account = 'owed'",
        "UPDATE ledger_entries SET line = line + 2", "UPDATE ledger_entries SET owner = '2' WHERE account = 'owed'",
        "UPDATE ledger_entries SET owner = 'erased-1' WHERE account = 'budget'", "DELETE FROM ledger_entries",
    ])
    func `an erasure may change names in the ledger, and nothing else`(sql: String) throws {
        let bench = try RewardBench()
        try bench.give([Given()])
        #expect(throws: StorageError.self) {
            try bench.database.write { db in
                try db.execute(sql: "INSERT INTO ledger_erasing (id) VALUES (1)")
                try db.execute(sql: sql)
            }
        }
        #expect(throws: StorageError.self) {
            try bench.database.write {
                try $0.execute(sql: "UPDATE ledger_entries SET owner = 'erased-1' WHERE account = 'owed'")
            }
        }
        #expect(try bench.total(.owed) + bench.total(.float) == 50)
    }
}
