import ExporterRows
import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import ServiceKit
import Storage
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterStores

extension TestExporter {
    func notices(_ token: String, _ query: String = "?limit=1000") async throws -> [[String: Any]] {
        try await page(token, query)["notices"] as! [[String: Any]]
    }

    func page(_ token: String, _ query: String) async throws -> [String: Any] {
        let text = try await text("/v1/erasure-notices" + query, headers: Self.bearer(token))
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
    }
}

@Suite struct NoticeTests {
    private static let start: Int64 = 1_772_323_200_000

    private func row(
        _ device: Int64, _ place: Int64, sim: Int64 = 1, serving: Int64? = nil, isShared: Bool = true, day: Int64 = 0
    ) -> TestRow {
        var values: [UInt8: Int64] = [ColumnID.mcc: 624, ColumnID.mnc: sim]
        if let serving { values.merge([ColumnID.servingMCC: 624, ColumnID.servingMNC: serving]) { $1 } }
        if !isShared { values[ColumnID.flags] = RowFlags.notForOperators.rawValue }
        let captured = Self.start + place * 300_000
        return TestRow(
            device: device, received: captured + day * ReceivedDay.milliseconds, captured: captured, seq: place + 1,
            values: values)
    }

    /// Tenants mtn (62401) and orange (62402), rows of device 2 of all sorts.
    private func filled(_ directory: TemporaryDirectory) async throws -> (TestExporter, mtn: String, orange: String) {
        let exporter = try TestExporter(directory)
        let mtn = try await exporter.tenant("mtn", ["62401"]), orange = try await exporter.tenant("orange", ["62402"])
        var lane = TestLane(.batch)
        try exporter.take([
            try lane.block([row(1, 0), row(2, 1), row(2, 2), row(2, 3, isShared: false)]),
            try lane.block([row(2, 4, sim: 2), row(2, 5, sim: 1, serving: 2), row(2, 6, day: 1)]),
        ])
        return (exporter, mtn, orange)
    }

    @Test func `every tenant is told by its own names what it could download`() async throws {
        let directory = try TemporaryDirectory()
        let (exporter, mtn, orange) = try await filled(directory)
        var seen: [String: [String: Int]] = [:]
        for token in [mtn, orange, exporter.token] {
            for row in try await exporter.rows(headers: TestExporter.bearer(token)) {
                let day = ReceivedDay.text(of: ReceivedDay.number(of: row["received_at_ms"] as! Int64))
                seen[token, default: [:]]["\(day) \(row["device"]!)", default: 0] += 1
            }
        }
        var orders = TestOrders()
        try exporter.erase([.of(2)], &orders)
        for token in [mtn, orange, exporter.token] {
            let told = try await exporter.notices(token).map { ("\($0["day"]!) \($0["device"]!)", $0["rows"] as! Int) }
            let ones = try await exporter.rows(headers: TestExporter.bearer(token)).map {
                "2026-03-01 \($0["device"]!)"
            }
            #expect(Dictionary(uniqueKeysWithValues: told) == seen[token]!.filter { !ones.contains($0.key) })
        }
        let rows = try await exporter.notices(mtn).map { $0["rows"] as! Int }.sorted()
        #expect(rows == [1, 3])
        #expect(try await exporter.notices(orange).map { $0["rows"] as! Int } == [2])
        #expect(try await exporter.notices(exporter.token).map { $0["rows"] as! Int }.sorted() == [1, 5])
    }

    @Test func `a part says of what time`() async throws {
        let directory = try TemporaryDirectory()
        let (exporter, mtn, _) = try await filled(directory)
        var orders = TestOrders()
        let scope = ErasureScope(
            from: Self.start + 2 * 300_000, to: Self.start + 6 * 300_000, cells: nil, requestedAt: TestExporter.now)
        try exporter.erase([.of(2, scope)], &orders)
        let notice = try #require(try await exporter.notices(mtn).first)
        #expect(notice["scope"] as! String == "part" && notice["rows"] as! Int == 2)
        #expect(notice["captured_from_ms"] as! Int64 == Self.start + 2 * 300_000)
        #expect(notice["captured_to_ms"] as! Int64 == Self.start + 5 * 300_000)
        #expect(notice["since"] as! String == "2026-03-01" && notice["acknowledged"] == nil)
        try exporter.erase([.of(2, request: "r2")], &orders)
        let whole = try await exporter.notices(mtn).filter { $0["scope"] as! String == "everything" }
        #expect(whole.count == 2 && whole.allSatisfy { $0["captured_from_ms"] == nil })
    }

    @Test func `who may change acknowledges and the first one counts`() async throws {
        let directory = try TemporaryDirectory()
        let (exporter, mtn, _) = try await filled(directory)
        let viewer = try await exporter.contact("eye", of: "mtn", .viewer)
        let engineer = try await exporter.contact("eve", of: "mtn", .engineer)
        var orders = TestOrders()
        try exporter.erase([.of(2)], &orders)
        #expect(try await exporter.notices(viewer).count == 2)
        let id = try await exporter.notices(mtn)[0]["id"] as! String
        let path = "/v1/erasure-notices/\(id)/ack"
        let refused = await exporter.request(.post, path, headers: TestExporter.bearer(viewer))
        #expect(refused.status == .forbidden && refused.headers[.contentType] == "application/problem+json")
        for token in [engineer, mtn] {
            let response = await exporter.request(.post, path, headers: TestExporter.bearer(token))
            #expect(response.status == .ok)
            let notice = try JSONSerialization.jsonObject(with: Data(try await response.bytes())) as! [String: Any]
            let acknowledged = notice["acknowledged"] as! [String: Any]
            #expect(acknowledged["contact"] as! String == "eve" && acknowledged["at_ms"] as! Int64 == TestExporter.now)
        }
        #expect(try await exporter.notices(mtn, "?acknowledged=true").map { $0["id"] as! String } == [id])
        let open = try await exporter.notices(mtn, "?acknowledged=false").map { $0["id"] as! String }
        #expect(open.count == 1 && open != [id])
    }

    @Test func `a session needs the origin of this server`() async throws {
        let directory = try TemporaryDirectory()
        let (exporter, mtn, _) = try await filled(directory)
        var orders = TestOrders()
        try exporter.erase([.of(2)], &orders)
        let cookie = try #require(await exporter.logIn(mtn).cookie)
        let path = "/v1/erasure-notices/\(try await exporter.notices(mtn)[0]["id"] as! String)/ack"
        for origin in [nil, "https://elsewhere.test"] {
            var headers: HTTPFields = [.cookie: cookie]
            headers[.origin] = origin
            #expect(await exporter.request(.post, path, headers: headers).status == .forbidden)
        }
        let own: HTTPFields = [.cookie: cookie, .origin: "https://nkul.test"]
        #expect(await exporter.request(.post, path, headers: own).status == .ok)
    }

    @Test func `pages make up the whole`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let mtn = try await exporter.tenant("mtn", ["62401"])
        var lane = TestLane(.batch), orders = TestOrders()
        try exporter.take([try lane.block((0..<23).map { row(2, $0, day: $0) })])
        try exporter.erase([.of(2)], &orders)
        var found: [String] = [], cursor: String?
        repeat {
            let page = try await exporter.page(mtn, "?limit=5" + (cursor.map { "&cursor=" + $0 } ?? ""))
            found += (page["notices"] as! [[String: Any]]).map { $0["id"] as! String }
            cursor = page["next"] as? String
        } while cursor != nil
        #expect(found.count == 23 && Set(found).count == 23)
        #expect(try await Set(exporter.notices(mtn).map { $0["id"] as! String }) == Set(found))
    }

    @Test(arguments: ["?acknowledged=yes", "?limit=0", "?limit=1001", "?cursor=abc", "?plmn=62401"])
    func `faults are problems`(query: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let response = await exporter.request("/v1/erasure-notices" + query)
        #expect(response.status == .badRequest && response.headers[.contentType] == "application/problem+json")
    }

    @Test func `another method is not allowed`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let id = String(repeating: "a", count: 32)
        #expect(await exporter.request("/v1/erasure-notices/\(id)/ack").headers[.allow] == "POST")
        #expect(await exporter.request(.post, "/v1/erasure-notices").headers[.allow] == "GET")
        #expect(await exporter.request(.post, "/v1/erasure-notices/\(id)/ack").status == .notFound)
        for path in ["/v1/erasure-notices/x/ack", "/v1/erasure-notices/\(id)", "/v1/erasure-notices/\(id)/ack/"] {
            #expect(await exporter.request(.post, path).status == .notFound, "\(path)")
        }
    }

    @Test func `nothing is told before the last row is gone`() throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch), orders = TestOrders()
        for day in 0..<12 { try exporter.take([try lane.block([row(2, 0, day: Int64(day))])]) }
        try exporter.take(try orders.blocks([.of(2)]))
        try exporter.settle(atMost: 2)
        func counts() throws -> [Int] {
            try exporter.folder.database.read { db in
                let all = try NoticeStore.list(of: 0, after: "", isAcknowledged: nil, limit: 99, db)
                let erased = try ExporterStore.value(of: .erasedRows, db)
                return [all.count, Int(erased)]
            }
        }
        let early = try counts()
        #expect(early[0] == 0 && early[1] > 0)
        try exporter.settle()
        #expect(try counts() == [12, 12])
    }

    @Test func `acknowledged notices go after thirty days and open ones stay`() async throws {
        let directory = try TemporaryDirectory()
        let (exporter, mtn, _) = try await filled(directory)
        var orders = TestOrders()
        try exporter.erase([.of(2)], &orders)
        let device = try await exporter.notices(mtn)[0]["device"] as! String
        let id = try await exporter.notices(mtn)[0]["id"] as! String
        _ = await exporter.request(.post, "/v1/erasure-notices/\(id)/ack", headers: TestExporter.bearer(mtn))
        exporter.clock.advance(by: NoticeStore.kept - 1)
        try exporter.settle()
        #expect(try await exporter.notices(mtn).count == 2)
        exporter.clock.advance(by: 1)
        try exporter.settle()
        let left = try await exporter.notices(mtn)
        #expect(left.count == 1 && left[0]["device"] as! String != device)
        #expect(exporter.effects.nextTick == nil)
    }

    @Test func `a removed tenants notices go with it`() async throws {
        let directory = try TemporaryDirectory()
        let (exporter, _, _) = try await filled(directory)
        var orders = TestOrders()
        try exporter.erase([.of(2)], &orders)
        _ = try await exporter.tenantCalls.remove(["name": "mtn"])
        let left = try exporter.folder.database.read { db in
            try NoticeStore.list(of: 1, after: "", isAcknowledged: nil, limit: 9, db).count
                + NoticeStore.list(of: 2, after: "", isAcknowledged: nil, limit: 9, db).count
        }
        #expect(left == 1)
    }
}
