import ExporterStores
import Foundation
import GRDB
import HTTPTypes
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import Testing

@testable import AnalyticsExporter

/// What stands beside a series to explain it.
@Suite struct AnnotationTests {
    private static let noon = FigureHouse.midnight + 12 * 3_600_000

    private func alarm(_ id: String, plmn: String, cause: String, from: Int64, to: Int64?) -> (String, String) {
        let end = to.map { #","alarmClearedTime":"\#(Timestamp.text($0))""# } ?? ""
        return (
            id,
            #"{"id":"\#(id)","plmn":"\#(plmn)","probableCause":"\#(cause)","perceivedSeverity":"major","state":"raised","#
                + #""place":[{"id":"1222213012"}],"alarmRaisedTime":"\#(Timestamp.text(from))"\#(end)}"#
        )
    }

    private func kinds(_ house: FigureHouse, from: Int64, to: Int64, _ more: String = "", token: String? = nil)
        async throws
        -> [JSONValue]
    {
        let answer = try await house.answer(
            "/v1/kpis?bucket=hour&from=\(from)&to=\(to)" + more, headers: token.map(TestExporter.bearer))
        return try #require(answer["annotations"]?.array, "\(answer.text)").filter { $0["kind"] != "incomplete" }
    }

    @Test func `outages of the networks that are asked for are told while they last`() async throws {
        let house = try FigureHouse([]), hour: Int64 = 3_600_000
        var lane = TestLane(.alerts)
        try house.exporter.take([
            try lane.alarms(
                [
                    alarm("over", plmn: "62401", cause: "lossOfSignal", from: Self.noon, to: Self.noon + hour),
                    alarm("open", plmn: "62402", cause: "lossOfSignal", from: Self.noon + 2 * hour, to: nil),
                    alarm("slow", plmn: "62401", cause: "bandwidthReduced", from: Self.noon, to: nil),
                ].map { (id: $0.0, document: $0.1) })
        ])
        let all = try await kinds(house, from: Self.noon - hour, to: Self.noon + 5 * hour)
        #expect(all.map { $0["alarm"] } == ["over", "open"] && all.allSatisfy { $0["kind"] == "outage" })
        #expect(all[0]["to_ms"]?.integer == Self.noon + hour && all[1]["to_ms"] == nil)
        #expect(all[0]["plmn"] == "62401" && all[0]["quadkey"] == "1222213012" && all[0]["severity"] == "major")
        #expect(try await kinds(house, from: Self.noon - hour, to: Self.noon).isEmpty)
        #expect(
            try await kinds(house, from: Self.noon + 4 * hour, to: Self.noon + 5 * hour).map { $0["alarm"] } == ["open"]
        )
        #expect(try await kinds(house, from: Self.noon - hour, to: Self.noon + 5 * hour, "&plmn=62401").count == 1)
        let token = try await house.exporter.tenant("orange", ["62402"])
        #expect(
            try await kinds(house, from: Self.noon - hour, to: Self.noon + 5 * hour, token: token).map { $0["alarm"] }
                == ["open"])
    }

    @Test func `outages are found without reading the alarms that are none`() async throws {
        let house = try FigureHouse([])
        let plan = try house.exporter.folder.database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    EXPLAIN QUERY PLAN SELECT alarm FROM alarms INDEXED BY alarm_outages
                    WHERE outage_from IS NOT NULL AND outage_to >= 1 AND outage_from < 2
                    """
            ).map { $0["detail"] as String }
        }
        #expect(
            plan.contains { $0.contains("SEARCH alarms USING") && $0.contains("alarm_outages (outage_to>?)") },
            "\(plan)")
    }

    @Test func `an outage that was cleared, and an alarm that is none any more, are not told beyond it`() async throws {
        let house = try FigureHouse([]), hour: Int64 = 3_600_000
        var lane = TestLane(.alerts)
        for (cause, end, expected) in [
            ("lossOfSignal", nil, 1), ("lossOfSignal", Self.noon + hour, 0), ("bandwidthReduced", nil, 0),
        ] as [(String, Int64?, Int)] {
            let told = alarm("a", plmn: "62401", cause: cause, from: Self.noon, to: end)
            try house.exporter.take([try lane.alarms([(id: told.0, document: told.1)])])
            #expect(try await kinds(house, from: Self.noon + 2 * hour, to: Self.noon + 3 * hour).count == expected)
        }
    }

    @Test func `a restore and erased rows are told where they touch the period`() async throws {
        let house = try FigureHouse([]), hour: Int64 = 3_600_000
        try house.exporter.folder.database.write { db in
            try ExporterStore.set(.backedUpAt, to: Self.noon, in: db)
            try ExporterStore.set(.restoredAt, to: Self.noon + hour, in: db)
            try db.execute(
                sql: """
                    INSERT INTO erasure_notices (id, tenant, day, device, rows, whole, captured_from, captured_to, published_at)
                    VALUES ('a', 0, '2026-02-27', 'x', 3, 1, \(Self.noon), \(Self.noon + 10), 1),
                        ('b', 0, '2026-02-27', 'y', 4, 1, \(Self.noon + 5), \(Self.noon + 20), 1),
                        ('c', 7, '2026-02-27', 'z', 4, 1, \(Self.noon), \(Self.noon), 1),
                        ('d', 0, '2026-02-27', 'z', 4, 1, \(Self.noon), \(Self.noon), NULL)
                    """)
        }
        let told = try await kinds(house, from: Self.noon - hour, to: Self.noon + hour)
        #expect(told.map { $0["kind"] } == ["restore", "erasure"])
        #expect(told[0]["from_ms"]?.integer == Self.noon && told[0]["to_ms"]?.integer == Self.noon + hour)
        #expect(told[1]["rows"] == 7 && told[1]["to_ms"]?.integer == Self.noon + 21)
        #expect(told[1]["device"] == nil)
        #expect(try await kinds(house, from: Self.noon - 2 * hour, to: Self.noon - hour).isEmpty)
        #expect(try await kinds(house, from: Self.noon + hour, to: Self.noon + 2 * hour).isEmpty)
    }

    @Test func `what is not complete is told`() async throws {
        let house = try FigureHouse([])
        let answer = try await house.answer("/v1/kpis?from=\(Self.noon)&to=\(Self.noon + 3_600_000)")
        #expect(answer["annotations"]?.array?.map { $0["kind"] } == ["incomplete"] && answer["complete_to"] == nil)
        #expect(answer["points"]?.array?.map { $0["complete"] } == [false])
    }
}
