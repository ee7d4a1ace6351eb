import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing
import Wire

@testable import PrivacyWorker

@Suite struct RetentionCoordinatorTests {
    private static let day = RetentionOrderDocument.dayMilliseconds
    /// 2026-03-01T12:00:00Z, 13:00 in Douala.
    private static let noon: UnixMilliseconds = 1_772_366_400_000
    /// 03:30 of the next day in Douala.
    private static let nextRun: UnixMilliseconds = 1_772_418_600_000
    private static let zone = TimeZone(identifier: "Africa/Douala")!
    private static let policy = RetentionPolicy(
        days: [.rawRows: 10], schedule: RetentionSchedule(hour: 3, minute: 30, zone: zone))

    private let bench = try! PrivacyBench(retention: policy)

    /// Steps whenever something is due, up to a moment.
    private func run(_ bench: PrivacyBench, from: UnixMilliseconds, to end: UnixMilliseconds) throws {
        var now = from
        for _ in 0..<200 {
            guard let next = bench.engine.effects.nextTick, next <= end else { return }
            now = max(now, next)
            try bench.engine.step([], now: now)
            try bench.engine.maintain(now: now)
        }
        Issue.record("it does not come to rest")
    }

    private func orders(_ bench: PrivacyBench) throws -> [RetentionOrderDocument] {
        var decoder = ColumnDecoder()
        return try bench.published(.retentionOrder).flatMap {
            try $0.columns(with: &decoder).documents(RetentionOrderDocument.self).map(\.document)
        }
    }

    private func report(
        _ order: RetentionOrderDocument, _ service: String, _ kinds: [String: RetentionFigures] = [:],
        lane: String? = nil, now: UnixMilliseconds
    ) throws {
        let report = RetentionReportDocument(
            order: order.order, isDryRun: order.isDryRun, service: service, finishedAt: now, kinds: kinds)
        try bench.hear(.retentionReport, .documents([(report.key, report)]), from: lane ?? service, now: now)
    }

    private func actions() throws -> [String] {
        try bench.entries().map(\.action).filter { $0.hasPrefix("retention") }
    }

    @Test func `once a day at the local time an order goes out, with the cut-offs of the policy`() throws {
        try run(bench, from: Self.noon, to: Self.nextRun - 1)
        #expect(try orders(bench).isEmpty)
        try run(bench, from: Self.nextRun, to: Self.nextRun + Self.day - 1)
        let order = try #require(try orders(bench).first)
        #expect(try orders(bench).count == 1 && order.issuedAt == Self.nextRun && !order.isDryRun)
        #expect(order.cutoff(of: .rawRows) == Self.noon - Self.day / 2 - 9 * Self.day)
        #expect(Set(order.cutoffs.keys) == Set(RetentionKind.allCases.map(\.rawValue)))
        try run(bench, from: Self.nextRun + Self.day, to: Self.nextRun + 3 * Self.day)
        #expect(try orders(bench).count == 4)
        #expect(try bench.check().fault == nil)
    }

    @Test func `a run that was missed is made up at the start, once`() throws {
        try run(bench, from: Self.noon, to: Self.noon)
        let effects = try PrivacyWorkerEffects(
            database: bench.database, journal: bench.engine.journals[0], keys: PrivacyBench.keys,
            receiptKey: PrivacyBench.receiptKey, retention: Self.policy)
        let engine = try EffectEngine(
            database: bench.database, reads: PrivacyWorkerEffects.subscriptions(), journals: bench.engine.journals,
            effects: effects)
        let later = Self.nextRun + 5 * Self.day + 3_600_000
        for _ in 0..<5 { try engine.step([], now: later) }
        #expect(try orders(bench).map(\.issuedAt) == [later])
        #expect(effects.nextTick == Self.nextRun + 6 * Self.day)
    }

    @Test func `what services report stands in the audit log, and all of them complete the run`() throws {
        try run(bench, from: Self.nextRun, to: Self.nextRun)
        try run(bench, from: Self.nextRun + Self.day, to: Self.nextRun + Self.day)
        let order = try #require(try orders(bench).last)
        let others = RetentionKind.keepers.subtracting(["privacy-worker"]).sorted()
        for (place, service) in others.enumerated() {
            let standing = try #require(try bench.database.read { try RetentionOrders($0).order(order.order) })
            #expect(standing.missing == Array(others[place...]) && standing.completedAt == nil)
            try report(
                order, service, ["alarms": RetentionFigures(removed: 3, bytes: 30, oldest: Self.noon)],
                now: order.issuedAt + 10)
        }
        // Heard again, it is not counted again.
        try report(order, others[0], now: order.issuedAt + 20)
        let standing = try #require(try bench.database.read { try RetentionOrders($0).order(order.order) })
        #expect(standing.missing.isEmpty && standing.completedAt == order.issuedAt + 10)
        #expect(standing.figures["alarms"]?.removed == 3 * others.count)
        let executed = try bench.entries().filter {
            $0.action == "retention.executed" && $0.detail.contains(order.order)
        }
        #expect(Set(executed.map(\.actor)) == RetentionKind.keepers && executed.count == others.count + 1)
        #expect(
            executed.last?.detail.contains(#""alarms":{"bytes":30,"oldest_ms":1772366400000,"removed":3}"#) == true)
        #expect(try bench.check().fault == nil)
    }

    @Test func `a service reports for itself only, and of orders that there are`() throws {
        try run(bench, from: Self.nextRun, to: Self.nextRun + Self.day)
        let order = try #require(try orders(bench).last)
        try report(order, "analytics-exporter", lane: "alert-router", now: order.issuedAt + 1)
        var unknown = order
        unknown.order = "run-1"
        try report(unknown, "alert-router", now: order.issuedAt + 1)
        let standing = try #require(try bench.database.read { try RetentionOrders($0).order(order.order) })
        #expect(standing.reports.map(\.service) == ["privacy-worker"])
    }

    @Test func `after a day it is told once who has not executed a run`() throws {
        try run(bench, from: Self.nextRun, to: Self.nextRun + Self.day)
        let order = try #require(try orders(bench).last)
        let others = RetentionKind.keepers.subtracting(["privacy-worker", "ingest"])
        for service in others { try report(order, service, now: order.issuedAt + 10) }
        try run(bench, from: order.issuedAt + 10, to: order.issuedAt + Self.day - 1)
        #expect(try !actions().contains("retention.late"))
        try run(bench, from: order.issuedAt + Self.day, to: order.issuedAt + Self.day)
        let late = try #require(try bench.entries().last { $0.action == "retention.late" })
        #expect(late.detail == #"{"missing":["ingest"],"order":"\#(order.order)"}"#)
        #expect(try actions().count { $0 == "retention.late" } == 1)
        let lateness = try bench.database.read { try RetentionLateness($0, now: order.issuedAt + Self.day) }
        #expect(lateness.late == ["ingest"] && lateness.lastRun == nil)
    }

    @Test func `what a run left though its time is over is told of`() throws {
        try run(bench, from: Self.nextRun, to: Self.nextRun + Self.day)
        let order = try #require(try orders(bench).last), cutoff = try #require(order.cutoff(of: .journals))
        try report(order, "ingest", ["journals": RetentionFigures(oldest: cutoff)], now: order.issuedAt + 1)
        #expect(try !actions().contains("retention.overdue"))
        try run(bench, from: order.issuedAt + Self.day, to: order.issuedAt + Self.day)
        let next = try #require(try orders(bench).last), then = try #require(next.cutoff(of: .journals))
        try report(next, "ingest", ["journals": RetentionFigures(oldest: then - 1)], now: next.issuedAt + 1)
        let told = try #require(try bench.entries().last { $0.action == "retention.overdue" })
        #expect(told.actor == "ingest" && told.detail.contains(#""journals":\#(then - 1)"#))
        let lateness = try bench.database.read { try RetentionLateness($0, now: next.issuedAt + 2) }
        #expect(lateness.overdue == ["journals"])
    }

    @Test func `a consent goes long after a newer one took its place, the newest never`() throws {
        let writer = try ConsentWriter(), old = Self.nextRun - 3_700 * Self.day
        try bench.step(
            writer.append([
                .sample(1, 1, ["measurement"], at: old), .sample(2, 1, ["measurement"], at: old),
                .sample(3, 1, ["measurement"], at: old),
            ])
                + writer.append([.sample(1, 2, [], at: old + Self.day), .sample(2, 2, [], at: Self.nextRun - Self.day)]),
            now: Self.noon)
        try run(bench, from: Self.nextRun, to: Self.nextRun + Self.day)
        let left = try bench.database.read { db in
            try Row.fetchAll(db, sql: "SELECT device, version FROM consents ORDER BY number").map {
                [$0[0] as Int64, $0[1]]
            }
        }
        #expect(left == [[2, 1], [3, 1], [1, 2], [2, 2]])
        let standing = try #require(
            try bench.database.read { try RetentionOrders($0).newest(limit: 9, isDryRun: false).last })
        let figures = standing.figures["consents"]
        #expect(figures?.removed == 1 && figures?.oldest == Self.nextRun - Self.day)
        #expect(throws: (any Error).self) { try bench.database.write { try $0.execute(sql: "DELETE FROM consents") } }
        #expect(try bench.check().fault == nil)
    }

    @Test func `no more orders are kept than the last ones`() throws {
        try run(bench, from: Self.noon, to: Self.noon)
        try bench.database.write { db in
            for number in 0..<450 {
                try RetentionOrders(db).add(
                    RetentionOrderDocument(issuedAt: Int64(number), isDryRun: false, source: .schedule, days: [:]))
                _ = try RetentionOrders(db).add(
                    RetentionReportDocument(
                        order: "run-\(number)", isDryRun: false, service: "ingest", finishedAt: 0, kinds: [:]))
            }
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM retention_orders") == 400)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM retention_reports") == 400)
        }
    }
}
