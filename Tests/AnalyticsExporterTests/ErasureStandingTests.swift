import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import TemporaryFiles
import Testing

@Suite struct ErasureStandingTests {
    private static let hour: Int64 = 3_600_000

    private func order(
        _ number: Int, hoursAgo: Int64, tookHours: Int64? = nil, dueHours: Int64 = 24,
        state: ErasureOrderDocument.State = .inProgress, signed: [String] = []
    ) -> ErasureOrderDocument {
        let requested = TestExporter.now - hoursAgo * Self.hour
        let subject = ErasureSubjectDocument(
            request: "r\(number)", subject: "secret-hmac", scope: .everything, barriers: [])
        return ErasureOrderDocument(
            ErasureRequestDocument(
                subject: subject, requestedAt: requested, dueAt: requested + dueHours * Self.hour, source: .device),
            state: tookHours == nil ? state : .completed,
            completedAt: tookHours.map { requested + $0 * Self.hour },
            receipts: signed.map {
                ErasureReceiptDocument(
                    request: "r\(number)", subject: "secret-hmac", service: $0, barriers: [], removed: 1,
                    signedAt: requested + 1, keyID: "k", signature: "s")
            })
    }

    private func filled(_ directory: TemporaryDirectory) throws -> TestExporter {
        let exporter = try TestExporter(directory)
        var lane = TestLane(.privacy)
        try exporter.take([
            try lane.orders([
                order(1, hoursAgo: 90, tookHours: 1), order(2, hoursAgo: 80, tookHours: 3),
                order(3, hoursAgo: 70, tookHours: 30), order(4, hoursAgo: 60, tookHours: 2, signed: ["ingest", "x"]),
                order(5, hoursAgo: 30, signed: ["alert-router"]), order(6, hoursAgo: 5, state: .pending),
            ])
        ])
        return exporter
    }

    private func document(_ exporter: TestExporter, _ query: String = "", _ token: String? = nil) async throws
        -> [String: Any]
    {
        let text = try await exporter.text("/v1/erasures" + query, headers: token.map(TestExporter.bearer))
        #expect(!text.contains("secret-hmac"))
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
    }

    @Test func `the regulator sees how they stand`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let document = try await document(exporter)
        #expect(document["counts"] as! [String: Int] == ["pending": 1, "in_progress": 1, "completed": 4])
        #expect(document["late"] as! Int == 1 && document["completed_late"] as! Int == 1)
        #expect(document["oldest_open_age_ms"] as! Int64 == 30 * Self.hour)
        let took = document["completed_took"] as! [String: Int64]
        #expect(took == ["p50_ms": 2 * Self.hour, "max_ms": 30 * Self.hour])
        let list = document["erasures"] as! [[String: Any]]
        #expect(list.map { $0["request"] as! String } == ["r6", "r5", "r4", "r3", "r2", "r1"])
        #expect(list.map { $0["late"] as! Bool } == [false, true, false, true, false, false])
        #expect((list[1]["signed"] as! [[String: Any]]).map { $0["service"] as! String } == ["alert-router"])
        #expect(list[2]["scope"] as! String == "everything" && list[2]["source"] as! String == "device")
    }

    @Test func `nothing is said of what is not there`() async throws {
        let directory = try TemporaryDirectory()
        let document = try await document(TestExporter(directory))
        #expect(document["oldest_open_age_ms"] == nil && document["completed_took"] == nil)
        #expect((document["erasures"] as! [Any]).isEmpty && document["late"] as! Int == 0)
    }

    @Test func `the latest of a request counts and a removed one is gone`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        var lane = TestLane(.privacy)
        _ = try lane.orders([])
        try exporter.take([
            try lane.orders([order(6, hoursAgo: 5, tookHours: 4)]), try lane.documents([("r1", nil)], .erasureOrder),
        ])
        let document = try await document(exporter)
        #expect(document["counts"] as! [String: Int] == ["pending": 0, "in_progress": 1, "completed": 4])
    }

    @Test func `pages and states`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        var found: [String] = [], cursor: String?
        repeat {
            let page = try await document(exporter, "?limit=2" + (cursor.map { "&cursor=" + $0 } ?? ""))
            found += (page["erasures"] as! [[String: Any]]).map { $0["request"] as! String }
            cursor = page["next"] as? String
        } while cursor != nil
        #expect(found == ["r6", "r5", "r4", "r3", "r2", "r1"])
        let completed = try await document(exporter, "?state=completed")["erasures"] as! [[String: Any]]
        #expect(completed.count == 4)
        for query in ["?state=late", "?cursor=r1", "?limit=0"] {
            #expect(await exporter.request("/v1/erasures" + query).status == .badRequest)
        }
    }

    @Test func `it is for regulators`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let mtn = try await exporter.tenant("mtn", ["62401"])
        let authority = try await exporter.tenant("art", [], regulator: true)
        #expect(await exporter.request("/v1/erasures", headers: TestExporter.bearer(mtn)).status == .forbidden)
        #expect(await exporter.request("/v1/erasures", headers: TestExporter.bearer(authority)).status == .ok)
    }
}
