import Foundation
import GRDB
import Lanes
import Models
import QoE
import ServiceKit
import Testing
import Wire

@testable import AlertRouter

/// Whose records raise alarms.
@Suite
struct AlarmTrustTests {
    private let start: UnixMilliseconds = 1_750_000_000_000
    /// Of devices that are new, a day old, new with a code, and there for long; each an operator's of its own.
    private let drops: [Urgent] = [RowFlags([.notTrusted, .young]), .notTrusted, .young, []].enumerated().map {
        var row = Urgent.drop(device: Int64($0 + 1), mnc: Int64($0 + 1))
        row.flags = $1
        return row
    }

    @Test(
        arguments: [(TrustPolicy.any, [1, 2, 3, 4], []), (.aged, [2, 3, 4], [1]), (.trusted, [3, 4], [2])]
            as [(TrustPolicy, [Int64], [Int])])
    func `alarms count the records of devices that are trusted enough, and those that do not count are told`(
        policy: TrustPolicy, raised: [Int64], skipped: [Int]
    ) throws {
        let bench = try RouterBench(trust: policy)
        try bench.engine.step([Urgent.block(1, drops)], now: start)
        #expect(try bench.number("SELECT count(*) FROM alarms") == Int64(raised.count))
        #expect(bench.messages.map(\.topic) == raised.map { "alerts/6240\($0)/major/\(Urgent.cell.text)" })
        #expect(bench.skipped == skipped)
        try bench.engine.step([], now: start + 5_000)
        #expect(bench.skipped == skipped)
    }

    @Test
    func `a record that does not count makes an alarm neither worse nor bigger, and is no contribution`() throws {
        let bench = try RouterBench(trust: .trusted)
        var emergency = Urgent.emergency(device: 2)
        emergency.flags = .notTrusted
        let outcome = try bench.engine.step([Urgent.block(1, [.drop(), emergency])], now: start)
        #expect(try bench.number("SELECT devices FROM alarms") == 1)
        #expect(try bench.number("SELECT records FROM alarms") == 1)
        #expect(bench.messages.map(\.topic) == [Urgent.key.topic(.major)])
        var decoder = ColumnDecoder()
        let contributors = try outcome.appended.flatMap(\.blocks)
            .filter { $0.header.kind == RecordKind.contribution.id }
            .flatMap { try $0.columns(with: &decoder)[ColumnID.device]!.integers }
        #expect(contributors == [1] && bench.skipped == [1])
    }

    @Test
    func `what was left out is told after the commit and only then`() throws {
        let bench = try RouterBench(trust: .trusted)
        let good = try Urgent.block(1, drops)
        var broken = try Urgent.block(2, drops)
        broken.block.payload[broken.block.payload.count - 1] ^= 0xFF
        #expect(throws: (any Error).self) { try bench.engine.step([good, broken], now: start) }
        #expect(bench.skipped == [])
        try bench.engine.step([good], now: start)
        try bench.engine.step([good], now: start)
        #expect(bench.skipped == [2])
    }

    @Test
    func `warnings are anybody's: every record of today is worse than one`() {
        #expect((AlarmProblem.qoe + AlarmProblem.own).allSatisfy { $0.severity > .warning })
        for policy in TrustPolicy.allCases {
            let counts = drops.map { $0.record.exclusion(under: policy) == nil }
            #expect(counts == drops.map { policy.counts($0.flags) })
        }
    }

    @Test
    func `the setting takes three words, and every device unless it says otherwise`() throws {
        func trust(_ text: String?) throws -> TrustPolicy {
            let environment = text.map { ["NKUL_ALERT_ROUTER_TRUST": $0] } ?? [:]
            return try AlertRouterConfiguration(Settings(environment: environment)).trust
        }
        #expect(try [nil, "any", "aged", "trusted"].map(trust) == [.any, .any, .aged, .trusted])
        #expect(throws: ServiceError.self) { try trust("nobody") }
    }
}
