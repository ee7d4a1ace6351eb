import AlarmRules
import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import ServiceKit
import TemporaryFiles
import Testing
import Wire

@testable import AnalyticsExporter
@testable import ExporterAPI
@testable import ExporterRows
@testable import ExporterSupport

/// `POST /v1/rules/{id}/test`: what a rule would have found in stored rows.
@Suite struct RuleTestTests {
    private typealias House = AlarmCommandTests.House

    /// Ten hours before now.
    private static let outage = TestExporter.now - 36_000_000
    private static let brief = #","lateness_s":120"#

    /// Phones without service, a row a minute for some minutes and one with service half an hour later, and one that is always well.
    private static func rows(
        network: Int64 = 2, devices: ClosedRange<Int64> = 1...7, at start: UnixMilliseconds = outage,
        flags: Int64? = nil
    ) -> [TestRow] {
        func row(_ device: Int64, _ time: UnixMilliseconds, isOut: Bool) -> TestRow {
            var row = FigureHouse.row(
                device, at: time, network: network, seq: time / 1_000,
                isOut ? [ColumnID.event: NetworkEvent.noService.rawValue, ColumnID.networkType: 0] : [:])
            row.received = time + 5_000
            row.values[ColumnID.flags] = flags
            return row
        }
        let out = devices.flatMap { device in
            (0..<5).map { row(device, start + device * 1_000 + $0 * 60_000, isOut: true) }
                + [row(device, start + 2_700_000 + device * 1_000, isOut: false)]
        }
        let well = stride(from: start - 7_200_000, to: start + 14_400_000, by: 240_000).map {
            row(network * 1_000, $0, isOut: false)
        }
        return (out + well).sorted { $0.received < $1.received }
    }

    private static func house(_ directory: TemporaryDirectory, _ rows: [TestRow] = rows()) async throws -> House {
        let house = try await House(directory), rows = rows.sorted { $0.received < $1.received }
        var batch = TestLane(.batch)
        for start in stride(from: 0, to: rows.count, by: 10) {
            try house.exporter.take([try batch.block(Array(rows[start..<min(start + 10, rows.count)]))])
        }
        return house
    }

    private static func test(
        _ house: House, _ document: String? = ManagedDocumentsTests.rule(brief), id: String = "mine", more: String = "",
        as token: String
    ) async throws -> (status: HTTPResponse.Status, json: JSONValue) {
        let body = "{" + (document.map { "\"document\":\($0)" } ?? "\"document\":null") + more + "}"
        let answer = await house.exporter.request(
            .post, "/v1/rules/\(id)/test", headers: TestExporter.bearer(token), body: body)
        return (answer.status, (try? JSONValue(bytes: try await answer.bytes())) ?? .null)
    }

    @Test func `a rule finds the outage that was, told as alarms are, and nothing is set`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        let (status, found) = try await Self.test(house, as: house.orange)
        #expect(status == .ok && found["alarm_count"] == 1 && found["in_force"] == nil, "\(found)")
        let alarm = try #require(found["alarms"]?.array?.first)
        #expect(alarm["owner"] == "plmn:62402" && alarm["cell"]?.string?.count == 10)
        #expect(alarm["severity"] == "major" && alarm["children"] == 0 && alarm["is_child"] == false)
        // Seven, as the lower end of their band.
        #expect(alarm["devices_at_least"] == 5)
        #expect(alarm["raised_ms"]?.integer == Self.outage / 60_000 * 60_000)
        #expect(alarm["told_ms"]?.integer == Self.outage + 8_000, "with the third phone")
        // The last bad rows are five minutes old and a window has passed, for as long as the rule waits.
        let cleared = try #require(alarm["cleared_ms"]?.integer)
        #expect((Self.outage + 2_040_000...Self.outage + 2_280_000).contains(cleared), "\(cleared - Self.outage)")
        #expect(found["left_out"] == ["unshared"] && found["to_ms"]?.integer == TestExporter.now)
        #expect(found["tested_to_ms"]?.integer == TestExporter.now - 120_000)
        #expect(try house.exporter.worker.published().filter { $0.hasPrefix("rule ") }.isEmpty)
    }

    @Test func `what the rule in force found is beside it, or gone`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        let set = await house.exporter.request(
            .put, "/v1/rules/mine", headers: TestExporter.bearer(house.orange),
            body: ManagedDocumentsTests.rule(Self.brief))
        #expect(set.status == .created)
        let same = try await Self.test(house, nil, as: house.orange).json
        #expect(
            same["in_force"]?["is_same"] == true && same["alarms"]?.array?.first?["in_force"]?["severity"] == "major")
        let milder = ManagedDocumentsTests.rule(Self.brief).replacing("major", with: "minor")
        let beside = try await Self.test(house, milder, as: house.orange).json
        #expect(beside["alarms"]?.array?.first?["severity"] == "minor", "\(beside)")
        #expect(beside["alarms"]?.array?.first?["in_force"]?["severity"] == "major")
        #expect(beside["in_force"]?["gone"] == [])
        let deaf = ManagedDocumentsTests.rule(Self.brief).replacing("\"set\":3", with: "\"set\":20")
        let gone = try await Self.test(house, deaf, as: house.orange).json
        #expect(gone["alarm_count"] == 0 && gone["in_force"]?["alarm_count"] == 1)
        #expect(gone["in_force"]?["gone"]?.array?.first?["owner"] == "plmn:62402")
    }

    @Test func `a lane that was read hours later than the other changes nothing`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory), rows = Self.rows()
        var batch = TestLane(.batch), realtime = TestLane(.realtime)
        let urgent = rows.filter { $0.values[ColumnID.event] != nil }
        for row in rows where row.values[ColumnID.event] == nil { try house.exporter.take([try batch.block([row])]) }
        for row in urgent { try house.exporter.take([try realtime.block([row])]) }
        let apart = try await Self.test(house, as: house.orange).json
        let other = try TemporaryDirectory(), together = try await Self.house(other)
        #expect(try await Self.test(together, as: together.orange).json["alarms"] == apart["alarms"])
        #expect(apart["alarm_count"] == 1 && apart["rows_late"] == 0)
    }

    @Test func `an operator's rows count, of those who share with operators; for a regulator all`() async throws {
        let directory = try TemporaryDirectory()
        let unshared = Self.rows(
            devices: 11...17, at: Self.outage + 7_200_000, flags: RowFlags.notForOperators.rawValue)
        let foreign = Self.rows(network: 1, devices: 21...27)
        let house = try await Self.house(directory, Self.rows() + foreign + unshared)
        let own = try await Self.test(house, as: house.orange).json
        #expect(own["alarms"]?.array?.map { $0["owner"]?.string } == ["plmn:62402"], "\(own)")
        let all = try await Self.test(house, as: house.exporter.token).json
        #expect(all["alarms"]?.array?.map { $0["owner"]?.string }.count == 3 && all["left_out"] == [], "\(all)")
        let owners = #","scope":{"owners":["plmn:62401"]}"#
        let (status, problem) = try await Self.test(
            house, ManagedDocumentsTests.rule(Self.brief + owners), as: house.orange)
        #expect(status == .unprocessableContent && problem["field"] == "scope.owners[0]")
    }

    @Test func `a tenant's rule that a regulator tests stays the tenant's`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory, Self.rows() + Self.rows(network: 1, devices: 21...27))
        _ = await house.exporter.request(
            .put, "/v1/rules/mine", headers: TestExporter.bearer(house.orange),
            body: ManagedDocumentsTests.rule(Self.brief))
        let found = try await Self.test(house, as: house.exporter.token).json
        #expect(found["alarms"]?.array?.map { $0["owner"]?.string } == ["plmn:62402"], "\(found)")
        let foreign = try await Self.test(house, as: house.mtn)
        #expect(foreign.status == .notFound)
    }

    @Test func `what cannot be tested is refused by the name of what is wrong`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        for (more, field, status) in [
            (#","from":0"#, "from", HTTPResponse.Status.badRequest), (#","from":"x""#, "from", .badRequest),
            (#","from":\#(TestExporter.now + 1)"#, "from", .badRequest),
            (#","colour":1"#, "colour", .unprocessableContent),
        ] {
            let (given, problem) = try await Self.test(house, more: more, as: house.orange)
            #expect(given == status && problem["field"]?.string == field, "\(more) \(problem)")
        }
        let wrong = try await Self.test(house, ManagedDocumentsTests.rule(#","lateness_s":-1"#), as: house.orange)
        #expect(wrong.status == .unprocessableContent)
        #expect(try await Self.test(house, "7", as: house.orange).json["field"] == "document")
        #expect(try await Self.test(house, nil, as: house.orange).status == .notFound)
        #expect(try await Self.test(house, as: house.ann).status == .forbidden)
        #expect(try await Self.test(house, id: "built-in.latency", as: house.orange).status == .notFound)
        #expect(try await Self.test(house, nil, id: "built-in.no_service", as: house.exporter.token).status == .ok)
    }

    @Test func `a test ends within its limits, and says up to when everything was judged`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory), files = house.exporter.folder.files.opener
        let rule = try AlarmRule(
            compiling: Array(ManagedDocumentsTests.rule(Self.brief).utf8), id: "r", programmes: .qoe)
        var run = RuleTestRun(
            change: RuleChange(rule: rule, inForce: nil), period: Self.outage - 3_600_000..<TestExporter.now,
            scope: .everything, trust: .any, programmes: .qoe, now: TestExporter.now)
        let whole = try run.run(files)
        #expect(whole.stop == nil && whole.alarms.count == 1)
        run.limits.rows = 90
        let part = try run.run(files)
        #expect(part.stop == .rows && part.alarms.count == 1 && part.testedTo < whole.testedTo)
        #expect(part.testedTo > Self.outage)
        run.limits.rows = 10
        #expect(throws: ParameterFault.self) { try run.run(files) }
        run.limits = RuleTestRun.Limits(rows: 1_000, time: .zero)
        #expect(throws: ParameterFault.self) { try run.run(files) }
        run.limits = RuleTestRun.Limits(alarms: 0)
        #expect(try run.run(files).stop == .alarms)
    }

    @Test func `rows that are erased meanwhile are read anew`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory), files = house.exporter.folder.files.opener
        var turns = 0
        try files.unchanged {
            turns += 1
            if turns == 1 { files.rewritten.add([1]) }
        }
        #expect(turns == 2)
        #expect(throws: ExporterAPIError.busy) { try files.unchanged { files.rewritten.add([1]) } }
    }

    @Test func `only rows of devices that are trusted as the router asks count`() async throws {
        let directory = try TemporaryDirectory()
        let rows = Self.rows(flags: RowFlags.notTrusted.rawValue)
        let exporter = try TestExporter(directory, settings: ["NKUL_ALERT_ROUTER_TRUST": "trusted"])
        var batch = TestLane(.batch)
        try exporter.take([try batch.block(rows)])
        let body = "{\"document\":\(ManagedDocumentsTests.rule(Self.brief))}"
        let answer = try JSONValue(
            bytes: await exporter.request(.post, "/v1/rules/mine/test", body: body).bytes())
        #expect(answer["alarm_count"] == 0 && answer["rows"] == 0, "\(answer)")
    }
}
