import Foundation
import ServiceKit
import Testing

@testable import Administration

@Suite(.timeLimit(.minutes(1)))
struct AdminRetentionTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let run: JSONValue = [
        "order": "run-1", "issued_at_ms": 1_772_418_600_000, "completed_at_ms": 1_772_418_601_000, "dry_run": false,
        "source": "schedule", "was_late": false, "removed": 12, "bytes": 34, "missing": [],
        "cutoffs": ["raw_rows": 1_769_817_600_000],
        "reports": [
            [
                "service": "analytics-exporter", "finished_at_ms": 1_772_418_601_000,
                "kinds": ["raw_rows": ["removed": 12, "bytes": 34, "oldest_ms": 1_769_817_600_000]],
            ]
        ],
    ]

    @Test func `show has the policy, the next run and what the last one did`() async throws {
        let shown: JSONValue = [
            "policy": [
                ["kind": "raw_rows", "days": 30, "services": ["analytics-exporter"], "removed": 12],
                ["kind": "receipts", "days": 8, "services": ["ingest"]],
            ], "at": "03:30", "time_zone": "Africa/Douala", "next_run_ms": 1_772_505_000_000, "last_run": Self.run,
        ]
        try await bench.serving([.privacyWorker: ["retention.show": { _ in shown }]]) { [bench] in
            let answer = try await bench.admin("retention", "show")
            #expect(answer.value == shown)
            #expect(answer.text.contains("daily at 03:30 (Africa/Douala), next 2026-03-03T02:30:00Z"))
            #expect(answer.text.contains("run-1, ordered 2026-03-02T02:30:00Z"))
            let rows = answer.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.contains(["raw_rows", "30", "analytics-exporter", "12", "-"]))
            #expect(rows.contains(["receipts", "8", "ingest", "-", "-"]))
            #expect(
                rows.contains([
                    "analytics-exporter", "raw_rows", "2026-01-31T00:00:00Z", "12", "34", "2026-01-31T00:00:00Z",
                ]))
        }
    }

    @Test func `a dry run waits for everybody and says what would go`() async throws {
        guard var order = Self.run.object else { return }
        order["dry_run"] = true
        let done = JSONValue.object(order)
        order["completed_at_ms"] = nil
        let asked = Asked(waiting: JSONValue.object(order), done: done)
        try await bench.serving([
            .privacyWorker: ["retention.run": { _ in ["order": "dry-1"] }, "retention.order": { _ in asked.answer() }]
        ]) { [bench] in
            let answer = try await bench.admin("retention", "run", "--dry-run")
            #expect(answer.text.contains("nothing was deleted, this would be") && answer.text.contains("WOULD GO"))
            #expect(!answer.text.contains("OLDEST LEFT") && answer.problem == nil)
            #expect(
                bench.asked.all.first.map { $0.arguments } == ["dry_run": true] && asked.count > 2)
        }
    }

    @Test func `who has not executed a run in time is named`() async throws {
        guard var order = Self.run.object else { return }
        order["completed_at_ms"] = nil
        order["missing"] = ["ingest", "reward-dispatcher"]
        let waiting = JSONValue.object(order)
        try await bench.serving([
            .privacyWorker: ["retention.run": { _ in ["order": "run-1"] }, "retention.order": { _ in waiting }]
        ]) { [bench] in
            let answer = try await bench.admin("retention", "run", "--wait", "--timeout", "1")
            #expect(answer.problem == "run-1 is not executed yet by ingest, reward-dispatcher")
            #expect(try await bench.admin("retention", "run").text.contains("nkul admin retention show run-1"))
        }
    }

    @Test func `the list has a line for each run`() async throws {
        try await bench.serving([.privacyWorker: ["retention.list": { _ in [Self.run] }]]) { [bench] in
            let text = try await bench.admin("retention", "list").text
            #expect(text.split(separator: "\n").count == 2 && text.contains("run-1"))
            #expect(bench.asked.all.map(\.arguments) == [["limit": 50]])
        }
    }
}

/// Answers twice that it is not done.
private final class Asked: @unchecked Sendable {
    // Sendable: asked by one call after the other.
    private let waiting: JSONValue
    private let done: JSONValue
    private(set) var count = 0

    init(waiting: JSONValue, done: JSONValue) { (self.waiting, self.done) = (waiting, done) }

    func answer() -> JSONValue {
        count += 1
        return count > 2 ? done : waiting
    }
}
