import Foundation
import GRDB
import IngestAPI
import IngestCommands
import IngestCommit
import IngestUploads
import Lanes
import Models
import Storage
import SubjectRights
import Testing
import Wire

@Suite struct RetentionTests {
    private static let day = RetentionOrderDocument.dayMilliseconds
    private let now = Reading.now / day * day

    private func order(_ issuedAt: Int64, isDryRun: Bool = false) -> RetentionOrderDocument {
        RetentionOrderDocument(
            issuedAt: issuedAt, isDryRun: isDryRun, source: .schedule,
            days: [.receipts: 8, .failedAuthentications: 30, .journals: 7, .contributions: 365])
    }

    private func outcome(_ order: RetentionOrderDocument, contributions: RetentionFigures) -> RetentionOutcome {
        RetentionOutcome(
            order: order,
            report: RetentionReportDocument(
                order: order.order, isDryRun: order.isDryRun, service: "ingest-copies", finishedAt: now,
                kinds: ["contributions": contributions]))
    }

    /// Has an engine do what it has been told; the blocks that it appended to the requests lane.
    private func settle(_ engine: IngestEngine) throws -> [RetentionReportDocument] {
        var decoder = ColumnDecoder(), blocks: [Block] = []
        for _ in 0..<60 where engine.hasRetentionWork(now: now) { blocks += try engine.retainSlice(now: now) }
        return try blocks.filter { $0.header.kind == RecordKind.retentionReport.id }.flatMap {
            try $0.columns(with: &decoder).documents(RetentionReportDocument.self).map(\.document)
        }
    }

    private func fill(_ bench: EngineBench) throws {
        try bench.database.write { db in
            for age in Int64(1)...50 {
                try db.execute(
                    sql: "INSERT INTO failed_authentications VALUES (?, '10.0.0.0/24', 'unknown_token', 1, 0)",
                    arguments: [(now - age * Self.day) / 60_000])
                try db.execute(
                    sql: "INSERT INTO receipts VALUES (?, zeroblob(16), ?, zeroblob(10))",
                    arguments: [age, now - age * Self.day])
            }
        }
    }

    @Test func `what is too old goes when the copies have done their part, and both parts are one report`() throws {
        let bench = try EngineBench()
        try fill(bench)
        let order = order(now)
        #expect(!bench.engine.hasRetentionWork(now: now))
        let copies = outcome(order, contributions: RetentionFigures(removed: 3, bytes: 7, oldest: 11))
        try bench.engine.retain([copies])
        let report = try #require(try settle(bench.engine).first)
        #expect(report.service == "ingest" && report.order == order.order)
        #expect(
            report.kinds == [
                "receipts": RetentionFigures(removed: 42, bytes: 420, oldest: now - 8 * Self.day),
                "failed_authentications": RetentionFigures(removed: 20, oldest: now - 30 * Self.day),
                "journals": RetentionFigures(), "contributions": copies.report.kinds["contributions"]!,
            ])
        // Told again, as after a start, it is not executed again.
        try bench.engine.retain([copies])
        #expect(try settle(bench.engine).isEmpty)
    }

    @Test func `a dry run changes nothing and counts what the real run then removes`() throws {
        let bench = try EngineBench()
        try fill(bench)
        func counts() throws -> [Int] {
            try bench.database.read { db in
                try ["receipts", "failed_authentications"].map {
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)")!
                }
            }
        }
        try bench.engine.retain([outcome(order(now, isDryRun: true), contributions: RetentionFigures())])
        let dry = try #require(try settle(bench.engine).first)
        #expect(try dry.isDryRun && counts() == [50, 50])
        try bench.engine.retain([outcome(order(now), contributions: RetentionFigures())])
        let real = try #require(try settle(bench.engine).first)
        #expect(try counts() == [8, 30])
        for kind in ["receipts", "failed_authentications"] {
            #expect(dry.kinds[kind]?.removed == real.kinds[kind]?.removed)
        }
    }

    @Test func `a block that waits for a reader that is away tells its age`() throws {
        let bench = try EngineBench(), old = now - 9 * Self.day
        let enrolment = Enrolment(
            deviceID: [UInt8](repeating: 1, count: 16), tokenHash: [UInt8](repeating: 1, count: 32),
            platform: "android", appVersion: "1", consent: .all, policyVersion: "1")
        _ = try bench.engine.commit([], commands: [enrolment], now: old)
        try bench.engine.retain([outcome(order(now), contributions: RetentionFigures())])
        let report = try #require(try settle(bench.engine).first)
        #expect(report.kinds["journals"] == RetentionFigures(oldest: old))
    }

    @Test func `the copies forget who helped to raise an alarm a year ago, and hand the order on, also after a crash`()
        throws
    {
        let bench = try CopiesBench()
        var told: [RetentionOutcome] = []
        func engine() throws -> EffectEngine {
            try bench.engine { copies in
                try! SubjectRightsEffects(
                    copies, copies.subjects, database: bench.database, journals: [],
                    key: ReceiptKey(secret: [UInt8](repeating: 5, count: 32), service: "ingest"),
                    told: SubjectRightsEffects.Told(retired: { told += $0 }))
            }
        }
        func contribution(_ device: UInt64, ago days: Int64) throws -> CopiesBench.Record {
            let document = ContributionDocument(
                alarm: "62401-1222-\(device)", device: device, records: 1, firstAt: now - days * Self.day)
            return CopiesBench.Record(
                key: document.key, device: device, document: Array(try JSONEncoder().encode(document)))
        }
        let first = try engine()
        try first.step(
            [
                try bench.block(
                    .alerts, .contribution, [try contribution(1, ago: 366), try contribution(2, ago: 365)])
            ], now: now - Self.day)
        let order = order(now)
        let document = try SortedJSON.bytes(of: order)
        try first.step(
            [try bench.block(.privacy, .retentionOrder, [CopiesBench.Record(key: order.key, document: document)])],
            now: now)
        let second = try engine()
        for step in 0..<20 { try second.step([], now: now + Int64(step) * 1_000) }
        let outcome = try #require(told.first)
        #expect(told.count == 1 && outcome.order == order)
        #expect(outcome.report.kinds["contributions"]?.removed == 1)
        #expect(outcome.report.kinds["contributions"]?.oldest == now - 365 * Self.day)
        #expect(try bench.database.read { try Int64.fetchAll($0, sql: "SELECT device FROM contributions") } == [2])
        #expect(try bench.database.read { try RetentionExecutor.done($0) } == told)
    }
}
