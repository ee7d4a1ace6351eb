import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterAPI

/// `GET /v1/alarms` with filters, page by page.
@Suite struct AlarmListTests {
    private typealias House = AlarmCommandTests.House

    /// Alarms a1…a6 of orange, of which a6 is over, and m1 of mtn.
    private static func house(_ directory: TemporaryDirectory) async throws -> House {
        var house = try await House(directory)
        let alarms = (2...6).map { number -> (String, String?) in
            let more =
                #","place":[{"id":"12222\#(number % 2)"}],"rule":"r\#(number)","#
                + #""alarmedObject":{"id":"62402/c\#(number)"}}"#
            let text =
                AlarmCommandTests.alarm("a\(number)").replacing("T11:59:00", with: "T11:5\(number):00")
                .replacing("major", with: number == 3 ? "critical" : "major")
            let whole = String(text.dropLast()) + more
            return ("a\(number)", number == 6 ? whole.replacing("\"raised\"", with: "\"cleared\"") : whole)
        }
        try house.exporter.take([try house.lane.alarms(alarms)])
        return house
    }

    private static func page(_ house: House, _ query: String) async throws -> (
        ids: [String], next: String?, event: Int?
    ) {
        let answer = try await house.get("/v1/alarms" + query, as: house.vic)
        let alarms = try #require(answer["alarms"] as? [[String: Any]], "\(answer)")
        return (alarms.compactMap { $0["id"] as? String }, answer["next"] as? String, answer["last_event_id"] as? Int)
    }

    @Test(arguments: [
        ("", ["a1", "a2", "a3", "a4", "a5", "a6"]), ("?severity=critical", ["a3"]),
        ("?severity=critical,minor", ["a3"]),
        ("?state=cleared", ["a6"]), ("?state=raised,updated&rule=r2,r6", ["a2"]), ("?ack=acknowledged", []),
        ("?plmn=62402&quadkey=122221", ["a3", "a5"]), ("?quadkey=1,2&severity=major", ["a2", "a4", "a5", "a6"]),
        ("?plmn=62401", []), ("?subject=62402/c4", ["a4"]),
        ("?from=2026-03-01T11:53:00Z&to=2026-03-01T11:55:00Z", ["a3", "a4"]), ("?rule=r2'--", []),
    ])
    func `a filter has what it names of what the tenant sees`(query: String, ids: [String]) async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        #expect(try await Self.page(house, query).ids == ids)
    }

    @Test(arguments: ["rule", "from", "cursor", "limit"])
    func `a parameter without a value is refused by its name`(name: String) async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        let refused = await house.exporter.request(
            .get, "/v1/alarms?state=raised&\(name)=", headers: TestExporter.bearer(house.exporter.token))
        let problem = try JSONValue(bytes: try await refused.bytes())
        #expect(refused.status == .badRequest && problem["field"]?.string == name, "\(problem)")
    }

    @Test func `pages follow each other without gap or repetition, also while alarms come and go`() async throws {
        let directory = try TemporaryDirectory()
        var house = try await Self.house(directory)
        let first = try await Self.page(house, "?state=raised&limit=2")
        #expect(first.ids == ["a1", "a2"] && first.next == "a2")
        try house.exporter.take([try house.lane.alarms([("a2", nil), ("a0", AlarmCommandTests.alarm("a0"))])])
        let second = try await Self.page(house, "?state=raised&limit=2&cursor=a2")
        #expect(second.ids == ["a3", "a4"] && second.next == "a4")
        let last = try await Self.page(house, "?state=raised&limit=2&cursor=a4")
        #expect(last.ids == ["a5"] && last.next == nil)
        // What came meanwhile is told by the stream from where the first page was made.
        let (before, now) = (try #require(first.event), try #require(last.event))
        #expect(now == before + 2)
    }

    @Test(arguments: [
        ("severity=red", "severity", "critical, major, minor"), ("state=open", "state", "raised, updated, cleared"),
        ("ack=yes", "ack", "acknowledged, unacknowledged"), ("plmn=1", "plmn", "five or six digits"),
        ("quadkey=129", "quadkey", "digits 0…3"), ("from=soon", "from", "RFC 3339"),
        ("from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z", "to", "before from"), ("limit=0", "limit", "1…1000"),
        ("limit=1001", "limit", "1…1000"), ("cursor=A%20b", "cursor", "next of the page before"),
        ("perceivedSeverity=major", "perceivedSeverity", "severity, state, ack"),
        ("rule=a&rule=b", "rule", "more than once"), ("rule=%00", "rule", "1…200 characters"),
    ])
    func `what is wrong is named, with what is allowed`(query: String, field: String, words: String) async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        let response = await house.exporter.request("/v1/alarms?\(query)", headers: TestExporter.bearer(house.vic))
        let problem =
            try JSONSerialization.jsonObject(with: Data(try await response.bytes())) as? [String: Any] ?? [:]
        #expect(response.status == .badRequest && problem["field"] as? String == field)
        #expect((problem["detail"] as? String)?.contains(words) == true, "\(problem)")
    }
}
