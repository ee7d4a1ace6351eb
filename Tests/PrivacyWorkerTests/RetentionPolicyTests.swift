import Foundation
import Models
import ServiceKit
import Testing

@testable import PrivacyWorker

@Suite struct RetentionPolicyTests {
    private func policy(_ settings: [String: String] = [:]) throws -> RetentionPolicy {
        try PrivacyWorkerConfiguration(Settings(environment: ["NKUL_HOME": "/tmp/none"].merging(settings) { $1 }))
            .retention
    }

    @Test func `every kind is kept as long as its rule says, unless a setting says otherwise`() throws {
        let standard = try policy()
        for kind in RetentionKind.allCases { #expect(standard.days[kind] == kind.rule.days) }
        #expect(standard.schedule.text == "03:30")
        let other = try policy([
            "NKUL_PRIVACY_WORKER_RETAIN_RAW_ROWS_DAYS": "7", "NKUL_PRIVACY_WORKER_RETENTION_AT": "23:05",
        ])
        #expect(other.days[.rawRows] == 7 && other.schedule.text == "23:05")
    }

    @Test(arguments: [
        ("NKUL_PRIVACY_WORKER_RETAIN_RAW_ROWS_DAYS", "0"), ("NKUL_PRIVACY_WORKER_RETAIN_CONTRIBUTIONS_DAYS", "366"),
        ("NKUL_PRIVACY_WORKER_RETAIN_REWARD_LINKS_DAYS", "3651"), ("NKUL_PRIVACY_WORKER_RETENTION_AT", "24:00"),
        ("NKUL_PRIVACY_WORKER_RETENTION_AT", "3:30"),
    ])
    func `a value out of range, or longer than what it depends on, is named`(key: String, value: String) throws {
        let error = try #require(throws: ServiceError.self) { _ = try policy([key: value]) }
        #expect("\(error)".contains(key))
    }

    @Test func `the next run is at the local time, also where clocks are changed`() {
        let berlin = RetentionSchedule(hour: 2, minute: 30, zone: TimeZone(identifier: "Europe/Berlin")!)
        // On 29 March 2026 clocks go from 02:00 to 03:00.
        #expect(berlin.next(after: 1_774_665_000_000) == 1_774_746_000_000)
        let douala = RetentionSchedule(hour: 3, minute: 30, zone: TimeZone(identifier: "Africa/Douala")!)
        #expect(douala.next(after: 1_772_418_600_000) == 1_772_418_600_000 + 86_400_000)
        #expect(douala.next(after: 1_772_418_599_999) == 1_772_418_600_000)
    }

    /// Rows of the page's first table, by the kind.
    private func page() throws -> [String: [String]] {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/retention.md").standardized
        let rows = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
            .map {
                $0.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "") }
            }.filter { $0.count == 7 }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0) })
    }

    @Test func `the page has every kind with its days, range and setting`() throws {
        let page = try page()
        #expect(Set(page.keys) == Set(RetentionKind.allCases.map(\.rawValue)))
        for kind in RetentionKind.allCases {
            let row = try #require(page[kind.rawValue]), rule = kind.rule
            #expect(row[1] == "\(rule.days)", "\(kind)")
            #expect(row[2] == (rule.isFixed ? "fixed" : "\(rule.range.lowerBound)…\(rule.range.upperBound)"), "\(kind)")
            #expect(row[3] == (rule.isFixed ? "" : RetentionPolicy.key(of: kind)), "\(kind)")
        }
    }
}
