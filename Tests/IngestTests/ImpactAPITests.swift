import Foundation
import GRDB
import HTTPTypes
import Lanes
import Models
import Storage
import Testing

@testable import IngestAPI
@testable import IngestSupport

@Suite struct ImpactAPITests {
    private static let cell = "1222230012301230"
    private static let start: UnixMilliseconds = 1_759_964_400_000

    private func id(_ number: Int) -> String { "62401-\(Self.cell)-\(Self.start + Int64(number))" }

    /// An alarm as the router tells it.
    private func alarm(
        _ number: Int, _ more: String = "", state: String = "raised", ack: String = "unacknowledged",
        cell: String = ImpactAPITests.cell
    ) -> CopiesBench.Record {
        let text = """
            {"id":"\(id(number))","perceivedSeverity":"major","state":"\(state)","ackState":"\(ack)",\
            "alarmRaisedTime":"2025-10-08T23:00:00.000Z","rule":"urgent.call_drop","cell":"\(cell)","devices":7\(more)}
            """
        return CopiesBench.Record(key: id(number), document: Array(text.utf8))
    }

    private func contribution(_ number: Int, _ device: UInt64, _ records: Int64 = 1) throws -> CopiesBench.Record {
        let document = ContributionDocument(
            alarm: id(number), device: device, records: records, firstAt: Self.start + Int64(number))
        return CopiesBench.Record(
            key: document.key, device: device, document: Array(try JSONEncoder().encode(document)))
    }

    private func take(_ copies: CopiesBench, _ alarms: [CopiesBench.Record], _ contributions: [CopiesBench.Record])
        throws
    {
        if !alarms.isEmpty { try copies.take(copies.block(.alerts, .alarm, alarms)) }
        if !contributions.isEmpty { try copies.take(copies.block(.alerts, .contribution, contributions)) }
    }

    private func impact(_ bench: APIBench, _ token: String, _ query: String = "") async throws -> APIBench.Answer {
        try await bench.call(.get, "/v1/me/impact" + query, headers: [.authorization: "Bearer \(token)"])
    }

    private func ids(_ answer: APIBench.Answer) -> [String] {
        (answer.json["alarms"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }

    @Test func `who helped to raise nothing is told so`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let answer = try await impact(bench, token)
        #expect(answer.status == 200 && answer.text == #"{"alarms":[],"counts":{"helped":0,"cleared":0}}"#)
    }

    @Test func `an alarm is told with what became of it, no place finer than five kilometres, and nobody else`()
        async throws
    {
        let bench = try await APIBench(), token = try await bench.enrol()
        // A contribution may come before its alarm.
        try take(bench.copies, [], [contribution(5, 1, 3)])
        #expect(ids(try await impact(bench, token)).isEmpty)
        try take(bench.copies, [alarm(5)], [])
        let answer = try await impact(bench, token)
        #expect(
            answer.text == """
                {"alarms":[{"id":"\(ImpactAlarm.name(ofAlarm: id(5)))","rule":"urgent.call_drop","severity":"major",\
                "state":"raised","acknowledged":false,"raised_at":"2025-10-08T23:00:00.000Z",\
                "raised_at_ms":1759964400000,"cell":"1222230012301","reports_of_mine":3,\
                "first_report_at":"2025-10-08T23:00:00.005Z","first_report_at_ms":1759964400005}],\
                "counts":{"helped":1,"cleared":0},"as_of":"2025-10-09T08:53:20.000Z","as_of_ms":1760000000000}
                """)
        #expect(!answer.text.contains(Self.cell) && !answer.text.contains("devices"))
    }

    @Test func `an alarm that is acknowledged, cleared, or of no cell is told as that`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try take(bench.copies, [alarm(1), alarm(2, cell: "")], [contribution(1, 1), contribution(2, 1)])
        try take(
            bench.copies,
            [alarm(1, #","alarmClearedTime":"2025-10-08T23:10:00.000Z""#, state: "cleared", ack: "acknowledged")], [])
        let answer = try await impact(bench, token)
        let alarms = answer.json["alarms"] as? [[String: Any]] ?? []
        #expect(alarms.count == 2 && alarms[0]["cell"] == nil && alarms[0]["cleared_at_ms"] == nil)
        #expect(alarms[0]["acknowledged"] as? Bool == false && alarms[1]["acknowledged"] as? Bool == true)
        #expect(alarms[1]["state"] as? String == "cleared" && alarms[1]["cleared_at_ms"] as? Int == 1_759_965_000_000)
        #expect((answer.json["counts"] as? [String: Int]) == ["helped": 2, "cleared": 1])
    }

    @Test func `a device is told of its own records only`() async throws {
        let bench = try await APIBench()
        let first = try await bench.enrol(), second = try await bench.enrol(), third = try await bench.enrol()
        try take(
            bench.copies, [alarm(1), alarm(2)], [contribution(1, 1), contribution(1, 2, 4), contribution(2, 2)])
        let seen = [try await impact(bench, first), try await impact(bench, second), try await impact(bench, third)]
        #expect(seen.map { ids($0).count } == [1, 2, 0])
        let mine = (seen[0].json["alarms"] as? [[String: Any]])?.first
        #expect(mine?["reports_of_mine"] as? Int == 1)
        // Another device's cursor and a parameter nobody knows open nothing of it.
        let cursor = PagePosition(time: .max, name: String(repeating: "f", count: 32)).text
        for query in ["?after=\(cursor)", "?device=2"] {
            #expect(ids(try await impact(bench, first, query)) == ids(seen[0]))
        }
        #expect(try await bench.call(.get, "/v1/me/impact").status == 401)
        #expect(try await impact(bench, "x").status == 401)
    }

    @Test func `pages of any size are all alarms, newest first, each once`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try take(bench.copies, (1...70).map { alarm($0) }, (1...70).map { try contribution($0, 1) })
        let wanted = (1...70).reversed().map { ImpactAlarm.name(ofAlarm: id($0)) }
        for limit in [1, 7, 100] {
            var seen: [String] = [], query = "?limit=\(limit)", pages = 0
            while pages < 100 {
                let answer = try await impact(bench, token, query)
                seen += ids(answer)
                pages += 1
                guard let next = answer.json["next"] as? String else { break }
                query = "?limit=\(limit)&after=\(next)"
            }
            #expect(seen == wanted && pages == (70 + limit - 1) / limit)
        }
        for (query, code) in [
            ("?limit=0", "bad_limit"), ("?limit=101", "bad_limit"), ("?after=5", "bad_cursor"),
            ("?after=5-abc", "bad_cursor"),
        ] {
            let answer = try await impact(bench, token, query)
            #expect(answer.status == 400 && answer.code == code, "\(query)")
        }
    }

    @Test func `of each device the newest are kept, whatever the order in which they are read`() async throws {
        let one = try CopiesBench(), other = try CopiesBench()
        let numbers = Array(1...(Int(CopiesEffects.mostAlarms) + 5))
        for (copies, order) in [(one, numbers), (other, Array(numbers.reversed()))] {
            try take(copies, numbers.map { alarm($0) }, [contribution(1, 2)])
            for number in order { try take(copies, [], [contribution(number, 1, 9)]) }
        }
        func kept(_ copies: CopiesBench, _ device: Int64) throws -> [String] {
            try copies.database.read {
                try String.fetchAll(
                    $0, sql: "SELECT alarm FROM contributions WHERE device = ? ORDER BY first_at", arguments: [device])
            }
        }
        #expect(try kept(one, 1) == numbers.dropFirst(5).map { id($0) })
        #expect(try kept(other, 1) == kept(one, 1) && kept(other, 2) == [id(1)])
    }

    @Test func `what was removed goes, what cannot be read is left out, and a year is enough`() async throws {
        let copies = try CopiesBench()
        try take(copies, [alarm(1), alarm(2)], [contribution(1, 1), contribution(2, 1), contribution(2, 2)])
        try take(
            copies,
            [CopiesBench.Record(key: id(1), document: nil), CopiesBench.Record(key: "x", document: Array("{}".utf8))],
            [
                CopiesBench.Record(key: "\(id(2))/1", document: nil), CopiesBench.Record(key: "x", document: nil),
                CopiesBench.Record(key: "\(id(2))/7", document: try contribution(2, 8).document),
            ])
        let reader = CopiesReader(reader: try copies.database.reader(), timeZone: CopiesBench.timeZone)
        #expect(try await reader.impact(of: 1, PageQuery()).alarms.isEmpty)
        #expect(try await reader.impact(of: 2, PageQuery()).alarms.count == 1)
        #expect(try await reader.impact(of: 7, PageQuery()).helped == 0)
        let later = Self.start + (ImpactCopies.keptDays + 1) * 86_400_000
        let young = ContributionDocument(alarm: id(2), device: 9, records: 2, firstAt: later)
        let block = try copies.block(
            .alerts, .contribution,
            [CopiesBench.Record(key: young.key, device: 9, document: Array(try JSONEncoder().encode(young)))])
        try copies.engine().step([block], now: later)
        #expect(try await reader.impact(of: 2, PageQuery()).alarms.isEmpty)
        #expect(try await reader.impact(of: 9, PageQuery()).alarms.map(\.records) == [2])
    }
}
