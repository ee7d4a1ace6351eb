import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing
import Wire

@testable import RewardDispatcher

@Suite struct RewardRetentionTests {
    private static let day = RetentionOrderDocument.dayMilliseconds
    private let bench = try! RewardBench()

    /// Far enough behind all that the bench does.
    private static let now = RewardBench.start + 400 * day

    private func order(
        _ bench: RewardBench, isDryRun: Bool = false, links: Int = 365, ledger: Int = 3_650,
        at now: UnixMilliseconds = now
    ) throws {
        let order = RetentionOrderDocument(
            issuedAt: now, isDryRun: isDryRun, source: .schedule, days: [.rewardLinks: links, .ledger: ledger])
        let block = try Given.block(
            bench.nextNumber(on: .privacy), .retentionOrder, .documents([(order.key, order)]), on: .privacy, at: now)
        try bench.engine.step([block], now: now)
        for step in 0..<80 {
            let now = now + Int64(step) * 1_000
            try bench.engine.step([], now: now)
            try bench.engine.maintain(now: now)
            try bench.checkBooks()
        }
    }

    private func reports(_ bench: RewardBench) throws -> [RetentionReportDocument] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .rewards, from: bench.database.reader(), after: 0, kinds: [RecordKind.retentionReport.id]
        ).blocks.flatMap { try $0.columns(with: &decoder).documents(RetentionReportDocument.self).map(\.document) }
    }

    private func balance(_ device: UInt64, _ bench: RewardBench) throws -> BalanceDocument {
        try bench.database.read { try Ledger().balance(of: device, $0) }
    }

    /// Grants on the lane: those with a document, and removed ones.
    private func lane(_ bench: RewardBench) throws -> (there: [String], gone: [String]) {
        var decoder = ColumnDecoder(), there: [String] = [], gone: [String] = []
        for block in try Journal.read(
            lane: .rewards, from: bench.database.reader(), after: 0, kinds: [RecordKind.grant.id]
        ).blocks {
            let columns = try block.columns(with: &decoder)
            for row in 0..<columns.rowCount {
                let key = String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self)
                if columns[ColumnID.document]?.value(row) == nil { gone.append(key) } else { there.append(key) }
            }
        }
        return (there, gone)
    }

    /// Everything but what retention, lanes and cursors keep for themselves.
    private func tables(_ bench: RewardBench) throws -> [String] {
        try bench.database.read { db in
            try ["grants", "ledger_entries", "payouts", "carried_balances", "replaced_references"].flatMap { name in
                try Row.fetchAll(db, sql: "SELECT * FROM \(name)").map { "\(name) \($0)" }
            }
        }
    }

    /// What a report says was removed, or would be: records and bytes.
    private func counted(_ report: RetentionReportDocument) -> [String: [Int]] {
        report.kinds.mapValues { [$0.removed, $0.bytes] }
    }

    @Test func `what is settled becomes nobody's, what is not stays, and balances stay`() throws {
        _ = try bench.makeAllStates(of: [1, 2])
        let before = try [balance(1, bench), balance(2, bench)], confirmed = bench.id(1, 1).text
        #expect(before[0].paidXAF == 50)
        let paid = try bench.total(.paid)
        let linked = try bench.number(
            "SELECT count(*) FROM grants WHERE device IN (1, 2) AND state IN ('confirmed', 'rejected')")
        try order(bench)
        #expect(try [balance(1, bench), balance(2, bench)] == before)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE erased_owner IS NOT NULL") == linked && linked == 4)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE id = '\(confirmed)'") == 0)
        #expect(try bench.number("SELECT count(*) FROM ledger_entries WHERE transaction_id LIKE '\(confirmed)%'") == 0)
        #expect(try bench.number("SELECT count(DISTINCT erased_owner) FROM grants") == 4)
        #expect(try bench.total(.paid) == paid && paid == 100)
        let lane = try lane(bench)
        #expect(lane.gone.contains(confirmed) && !lane.there.contains(confirmed) && lane.gone.count == 4)
        let report = try #require(try reports(bench).first)
        #expect(report.kinds["reward_links"]?.removed == 4)
        // What is not settled is still somebody's, and told of as kept too long.
        #expect(report.kinds["reward_links"]?.oldest.map { $0 < Self.now - 365 * Self.day } == true)
        #expect(try bench.number("SELECT count(*) FROM replaced_references") == 0)
    }

    @Test func `a dry run changes nothing and counts what the real run then removes`() throws {
        let bench = try RewardBench(callsAtOnce: 1_000)
        try bench.give((1...40).flatMap { device in (1...2).map { Given(device: device, seq: $0) } })
        try bench.tick(RewardBench.start)
        for call in bench.takeCalls() { bench.effects.answers.add(.confirmed("paid"), to: call) }
        try bench.tick(RewardBench.start + 1)
        let before = try tables(bench)
        try order(bench, isDryRun: true)
        #expect(try tables(bench) == before)
        try order(bench, at: Self.now + 1_000_000)
        let reports = try reports(bench)
        #expect(reports.map(\.isDryRun) == [true, false] && counted(reports[0]) == counted(reports[1]))
        #expect(reports[1].kinds["reward_links"]?.removed == 80)
    }

    @Test func `the oldest rewards go with their entries, the books balance, and what was paid stays`() throws {
        let calls = try bench.makeAllStates(of: [1])
        #expect(!calls.isEmpty)
        let paid = try balance(1, bench)
        try order(bench)
        let now = Self.now + 3_650 * Self.day
        try order(bench, isDryRun: true, at: now)
        try order(bench, at: now + 1_000_000)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state IN ('confirmed', 'rejected')") == 0)
        #expect(try balance(1, bench) == paid)
        let reports = try reports(bench)
        #expect(reports[1].kinds["ledger"]?.removed == 2 && counted(reports[1]) == counted(reports[2]))
        #expect(throws: (any Error).self) {
            try bench.database.write { try $0.execute(sql: "DELETE FROM ledger_entries") }
        }
    }

    @Test func `links and entries whose times end together go in one run, as its dry run says`() throws {
        _ = try bench.makeAllStates(of: [1, 2])
        try order(bench, isDryRun: true, links: 365, ledger: 365)
        try order(bench, links: 365, ledger: 365, at: Self.now + 1_000_000)
        let reports = try reports(bench)
        #expect(counted(reports[0]) == counted(reports[1]) && reports[1].kinds["ledger"]?.removed == 4)
        #expect(try balance(1, bench).paidXAF == 50)
    }

    @Test func `an erasure takes the sum that was carried, too`() throws {
        _ = try bench.makeAllStates(of: [1, 2])
        try order(bench)
        #expect(try bench.number("SELECT count(*) FROM carried_balances") == 2)
        try bench.erase(1, at: Self.now + 2_000_000)
        #expect(try bench.number("SELECT count(*) FROM carried_balances WHERE device = 1") == 0)
        #expect(try balance(1, bench) == BalanceDocument(device: 1, paidXAF: 0, pendingXAF: 0))
        #expect(try balance(2, bench).paidXAF == 50)
    }
}
