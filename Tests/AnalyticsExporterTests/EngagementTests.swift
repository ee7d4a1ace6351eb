import AnalyticsExporter
import ExporterRows
import ExporterSupport
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Lanes
import Models
import QoE
import Storage
import TemporaryFiles
import Testing
import Wire

@testable import ExporterStores

@Suite struct EngagementTests {
    private static let day: Int64 = 86_400_000
    /// 13:00 in Douala on 1 March 2026.
    private static let noon = TestExporter.now

    /// An outcome as ingest hands it on.
    private struct Told {
        var outcome = PromptOutcome.shown
        var version = "7"
        var rule: PromptRule? = .callDrop
        var network: Int64? = 1
        var captured = EngagementTests.noon
    }

    private func block(_ lane: inout TestLane, _ told: [Told]) throws -> LaneBlock {
        try lane.block(
            kind: .prompt,
            Columns(
                rowCount: told.count,
                columns: [
                    Column(id: ColumnID.device, values: told.indices.map { Int64($0) + 1 }),
                    Column(id: ColumnID.receivedAt, values: told.map(\.captured)),
                    Column(id: ColumnID.capturedAt, values: told.map(\.captured)),
                    Column(id: ColumnID.seq, values: told.indices.map { Int64($0) + 1 }),
                    Column(id: ColumnID.promptID, strings: told.map { _ in Array("p".utf8) }),
                    Column(id: ColumnID.outcome, values: told.map(\.outcome.rawValue)),
                    Column(id: ColumnID.policyVersion, strings: told.map { Array($0.version.utf8) }),
                    Column(id: ColumnID.promptRule, values: told.map { $0.rule?.rawValue }),
                    Column(id: ColumnID.mcc, values: told.map { $0.network.map { _ in 624 } }),
                    Column(id: ColumnID.mnc, values: told.map(\.network)),
                ].filter { !$0.presence.isEmpty }))
    }

    private func json(_ exporter: TestExporter, _ query: String = "", _ token: String? = nil) async throws
        -> [String: Any]
    {
        let text = try await exporter.text("/v1/engagement" + query, headers: token.map(TestExporter.bearer))
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
    }

    @Test func `outcomes are counted by version operator rule and day`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        // 23:30 UTC is the next day in Douala.
        let late = Self.noon - 12 * 3_600_000 - 1_800_000
        try exporter.take([
            try block(
                &lane,
                [
                    Told(), Told(), Told(outcome: .answered), Told(outcome: .ignored, network: nil),
                    Told(outcome: .dismissed, version: "default-1", rule: nil),
                ]), try block(&lane, [Told(captured: late), Told(captured: late - Self.day)]),
        ])
        let text = try await exporter.text("/v1/engagement?from=\(Self.noon - Self.day)&to=\(Self.noon)")
        #expect(
            text == """
                {"days":[\
                {"answered":0,"day":"2026-02-28","dismissed":0,"ignored":0,"plmn":"62401","policy_version":"7","rule":"call_drop","shown":1},\
                {"answered":0,"day":"2026-03-01","dismissed":0,"ignored":1,"plmn":"unknown","policy_version":"7","rule":"call_drop","shown":0},\
                {"answered":1,"day":"2026-03-01","dismissed":0,"ignored":0,"plmn":"62401","policy_version":"7","rule":"call_drop","shown":3},\
                {"answered":0,"day":"2026-03-01","dismissed":1,"ignored":0,"plmn":"62401","policy_version":"default-1","shown":0}],\
                "from":"2026-02-28","networks":[\
                {"answered":1,"answered_share":0.25,"dismissed":1,"dismissed_share":0.25,"ignored":0,"ignored_share":0,"plmn":"62401","shown":4},\
                {"answered":0,"answered_share":null,"dismissed":0,"dismissed_share":null,"ignored":1,"ignored_share":null,"plmn":"unknown","shown":0}],\
                "rules":[\
                {"answered":1,"answered_share":0.25,"dismissed":0,"dismissed_share":0,"ignored":1,"ignored_share":0.25,"rule":"call_drop","shown":4},\
                {"answered":0,"answered_share":null,"dismissed":1,"dismissed_share":null,"ignored":0,"ignored_share":null,"rule":"unknown","shown":0}],\
                "time_zone":"Africa/Douala","to":"2026-03-01","versions":[\
                {"answered":1,"answered_share":0.25,"dismissed":0,"dismissed_share":0,"ignored":1,"ignored_share":0.25,"policy_version":"7","shown":4},\
                {"answered":0,"answered_share":null,"dismissed":1,"dismissed_share":null,"ignored":0,"ignored_share":null,"policy_version":"default-1","shown":0}]}
                """)
        for (query, shown, networks) in [
            ("rule=call_drop", 4, 2), ("policy_version=default-1", 0, 1), ("rule=no_service", 0, 0),
        ] {
            let part = try await json(exporter, "?from=\(Self.noon - Self.day)&to=\(Self.noon)&" + query)
            let versions = try #require(part["versions"] as? [[String: Any]])
            #expect(versions.reduce(0) { $0 + ($1["shown"] as! Int) } == shown, "\(query)")
            #expect((part["networks"] as? [Any])?.count == networks, "\(query)")
        }
        #expect(await exporter.request("/v1/engagement?rule=hunger").status == .badRequest)
        #expect(
            await exporter.request("/v1/engagement?policy_version=\(String(repeating: "x", count: 65))").status
                == .badRequest)
    }

    @Test func `a block counts once and counts outlive the program`() async throws {
        let directory = try TemporaryDirectory()
        var lane = TestLane(.batch)
        let told = try block(&lane, [Told(), Told(outcome: .answered)])
        try TestExporter(directory).take([told])
        let exporter = try TestExporter(directory)
        try exporter.take([told])
        try exporter.take([try block(&lane, [Told()])])
        let versions = try #require(try await json(exporter)["versions"] as? [[String: Any]])
        #expect(versions.count == 1)
        #expect(versions[0]["shown"] as? Int == 2 && versions[0]["answered"] as? Int == 1)
    }

    @Test func `outcomes are kept with raw rows and are none`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        let row = TestRow(received: Self.noon, captured: Self.noon, seq: 9)
        try exporter.take([try block(&lane, [Told()]), try lane.block([row])])
        #expect(try await exporter.rows().count == 1 && exporter.effects.figures.rawRows == 1)
        let kinds = try exporter.folder.files.database(of: "2026-03-01").read {
            try Int64.fetchAll($0, sql: "SELECT kind FROM blocks ORDER BY sequence")
        }
        #expect(kinds == [Int64(RecordKind.prompt.id), Int64(RecordKind.report.id)])
    }

    @Test func `a tenant sees its own networks only`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        try exporter.take([try block(&lane, [Told(), Told(network: 2), Told(network: nil)])])
        let token = try await exporter.tenant("mtn", ["62401"])
        let regulator = try await exporter.tenant("art", [], regulator: true)
        func networks(_ token: String?, _ query: String = "") async throws -> [String] {
            (try await json(exporter, query, token)["days"] as! [[String: Any]]).map { $0["plmn"] as! String }
        }
        #expect(try await networks(token) == ["62401"])
        #expect(try await networks(regulator) == ["unknown", "62401", "62402"])
        #expect(try await networks(nil, "?plmn=62402") == ["62402"])
        for foreign in ["62402", "unknown"] {
            let answer = await exporter.request(
                "/v1/engagement?plmn=\(foreign)", headers: TestExporter.bearer(token))
            #expect(answer.status == .forbidden)
        }
        #expect(await exporter.request("/v1/engagement", headers: [:]).status == .unauthorized)
        #expect(await exporter.request("/v1/engagement?day=1").status == .badRequest)
    }

    @Test func `made up versions and networks fill no table`() throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var store = EngagementStore(zone: .gmt)
        store.mostKeys = 3
        let day = Self.noon / Self.day
        func key(_ version: String) -> EngagementKey {
            EngagementKey(day: day, policyVersion: version, rule: nil, plmn: .unknown)
        }
        func counts() throws -> [String: Int64] {
            try exporter.folder.database.read { db in
                let rows = try EngagementQuery(
                    QueryParameters([(key: String, value: String)](), known: []), scope: .everything, zone: .gmt,
                    now: Self.noon
                ).rows(db)
                return Dictionary(uniqueKeysWithValues: rows.map { ($0.key.policyVersion, $0.counts.shown) })
            }
        }
        let made = Dictionary(uniqueKeysWithValues: (1...9).map { (key("\($0)"), EngagementCounts(shown: 1)) })
        for _ in 0..<2 { try exporter.folder.database.write { try store.save(made, now: Self.noon, in: $0) } }
        #expect(try counts() == ["1": 2, "2": 2, "3": 2, "other": 12])
        // A version that is longer than any is not kept either.
        var lane = TestLane(.batch)
        try exporter.take([try block(&lane, [Told(version: String(repeating: "é", count: 33))])])
        #expect(try counts()["other"] == 13)
        // What is older than the period that is kept goes with the next count.
        let later = Self.noon + (EngagementStore.keptDays + 1) * Self.day
        try exporter.folder.database.write {
            try store.save([.other(later / Self.day): EngagementCounts(shown: 1)], now: later, in: $0)
        }
        #expect(try counts().isEmpty)
    }
}
