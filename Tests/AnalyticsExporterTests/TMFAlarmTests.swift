import ExporterStores
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Models
import Storage
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterAPI

/// TM Forum TMF642 v4 as its clients see it.
@Suite struct TMFAlarmTests {
    private typealias House = AlarmCommandTests.House
    private static let base = "/tmf-api/alarmManagement/v4"

    private static func house(_ directory: TemporaryDirectory) async throws -> House {
        var house = try await House(directory)
        let alarms = (2...5).map { number in
            let place = #","place":[{"id":"12222\#(number % 2)3","role":"quadkey"}],"rule":"r\#(number)"}"#
            let text: String =
                AlarmCommandTests.alarm("a\(number)")
                .replacing("T11:59:00.000Z", with: "T11:5\(number):00.000Z").dropLast() + place
            return ("a\(number)", number == 5 ? text.replacing("\"raised\"", with: "\"cleared\"") : text)
        }
        try house.exporter.take([try house.lane.alarms(alarms.map { ($0.0, $0.1) })])
        return house
    }

    private static func send(
        _ house: House, _ method: HTTPRequest.Method, _ path: String, _ body: String = "", as token: String
    ) async throws -> (status: HTTPResponse.Status, json: [String: Any], count: String?) {
        let response = await house.exporter.request(
            method, base + path, headers: TestExporter.bearer(token), body: body)
        let json = try JSONSerialization.jsonObject(with: Data(try await response.bytes()))
        let total = response.headers[HTTPField.Name("X-Total-Count")!]
        return (response.status, json as? [String: Any] ?? ["list": json], total)
    }

    @Test(arguments: [
        ("", ["a1", "a2", "a3", "a4", "a5"], 5), ("?limit=2&offset=1", ["a2", "a3"], 5),
        ("?state=cleared", ["a5"], 1), ("?rule=r2,r4", ["a2", "a4"], 2), ("?place=122221", ["a3", "a5"], 2),
        ("?alarmRaisedTime.gt=2026-03-01T11:53:00Z&alarmRaisedTime.lt=2026-03-01T11:59:00Z", ["a4", "a5"], 2),
        ("?perceivedSeverity=minor", [], 0), ("?plmn=62401", [], 0), ("?ackState=unacknowledged&id=a1,m1", ["a1"], 1),
        ("?fields=state&id=a3", ["a3"], 1), ("?rule=r2'%20OR%201--", [], 0),
    ])
    func `the list has what is asked for of what the tenant sees, in a stable order`(
        query: String, ids: [String], count: Int
    ) async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        let (status, json, total) = try await Self.send(house, .get, "/alarm\(query)", as: house.vic)
        let list = try #require(json["list"] as? [[String: Any]])
        #expect(status == .ok && list.map { $0["id"] as? String } == ids && total == String(count))
        if query.contains("fields") { #expect(Set(list[0].keys) == ["id", "state"]) }
    }

    @Test(
        arguments: [
            (HTTPRequest.Method.get, "/alarm?colour=red", "", 400, "colour"),
            (.get, "/alarm?limit=0", "", 400, "limit"),
            (.get, "/alarm?state=open", "", 400, "state"), (.get, "/alarm?place=9", "", 400, "place"),
            (.get, "/alarm?alarmRaisedTime.gt=x", "", 400, "alarmRaisedTime.gt"),
            (.get, "/alarm/a1?limit=3", "", 400, "limit"),
            (.patch, "/alarm/a1", #"{"perceivedSeverity":"minor"}"#, 400, "perceivedSeverity"),
            (.patch, "/alarm/a1", #"{"ackState":null}"#, 400, "ackState"), (.patch, "/alarm/a1", "[]", 400, nil),
            (.patch, "/alarm/a1", #"{"state":"raised"}"#, 400, "state"),
            (.patch, "/alarm/a1", #"{"comment":[{"text":"x"}]}"#, 400, "comment[0].text"),
            (.patch, "/alarm/m1", #"{"ackState":"acknowledged"}"#, 404, nil), (.get, "/alarm/m1", "", 404, nil),
            (.post, "/alarm", "{}", 403, nil), (.delete, "/alarm/a1", "", 403, nil),
            (.post, "/ackAlarms", "{}", 400, "alarmPattern"),
            (.post, "/ackAlarms", #"{"alarmPattern":[{}]}"#, 400, "alarmPattern[0]"),
            (.post, "/ackAlarms", #"{"alarmPattern":[{"hue":"x"}]}"#, 400, "alarmPattern[0].hue"),
            (.post, "/clearAlarms", #"{"alarmPattern":[{"id":"a1"}],"ackUserId":"x"}"#, 400, "ackUserId"),
            (.post, "/commentAlarms", #"{"alarmPattern":[{"id":"a1"}]}"#, 400, "comment"),
            (.post, "/groupAlarms", "{}", 400, "parentAlarm"),
            (.post, "/groupAlarms", #"{"parentAlarm":{"id":"a1"},"correlatedAlarm":[]}"#, 400, "correlatedAlarm"),
            (
                .post, "/groupAlarms", #"{"parentAlarm":{"id":"a1"},"correlatedAlarm":["a2"]}"#, 400,
                "correlatedAlarm[0].id"
            ),
            (
                .post, "/unGroupAlarms", #"{"parentAlarm":{"id":"a1"},"correlatedAlarm":[{"id":"a1"}]}"#, 400,
                "correlatedAlarm[0].id"
            ),
            // Neither a foreign alarm nor one that is not there is a parent.
            (
                .post, "/groupAlarms", #"{"parentAlarm":{"id":"m1"},"correlatedAlarm":[{"id":"a1"}]}"#, 400,
                "parentAlarm.id"
            ),
            (.post, "/hub", "{}", 403, nil),
        ] as [(HTTPRequest.Method, String, String, Int, String?)])
    func `what cannot be done is refused with a word that says why, and nothing is done`(
        method: HTTPRequest.Method, path: String, body: String, status: Int, field: String?
    ) async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        let (answered, problem, _) = try await Self.send(house, method, path, body, as: house.ann)
        #expect(answered.code == status && problem["field"] as? String == field, "\(problem)")
        #expect(try house.commands().isEmpty)
    }

    @Test func `a patch waits for the router, and is a conflict if that refuses or does not answer`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        let patch =
            #"{"ackState":"acknowledged","ackUserId":"mallory","comment":[{"comment":"on my way","userId":"eve"}]}"#
        let answering = Task { @Sendable [exporter = Unchecked(house)] in
            var house = exporter.value, handling = AlarmHandling(alarm: "a1", tenant: "orange")
            for act in [AlarmCommand.Act.comment, .acknowledge] {
                while try house.commands().last?.act != act { try await Task.sleep(for: .milliseconds(5)) }
                let command = try house.commands().last!
                #expect(command.contact == "ann")
                handling.version += 1
                if act == .comment {
                    handling.comments = [.init(contact: command.contact, at: command.at, text: command.text ?? "")]
                } else {
                    handling.acknowledgement = .init(contact: command.contact, at: command.at, until: .max)
                }
                try house.answer(command, .done, handling)
            }
            while try house.commands().last?.act != .clear { try await Task.sleep(for: .milliseconds(5)) }
            try house.answer(try house.commands().last!, .failed, code: "not_the_owner")
        }
        let (status, alarm, _) = try await Self.send(house, .patch, "/alarm/a1", patch, as: house.ann)
        #expect(
            status == .ok && alarm["ackState"] as? String == "acknowledged" && alarm["ackUserId"] as? String == "ann")
        #expect((alarm["comment"] as? [[String: Any]])?.first?["userId"] as? String == "ann")
        let refused = try await Self.send(house, .patch, "/alarm/a1", #"{"state":"cleared"}"#, as: house.ann)
        try await answering.value
        #expect(refused.status == .conflict && refused.json["code"] as? String == "not_the_owner")
        let late = try await Self.send(house, .patch, "/alarm/a1", #"{"state":"cleared"}"#, as: house.ann)
        #expect(late.status == .conflict && late.json["code"] as? String == "undecided")
        #expect(try await Self.send(house, .patch, "/alarm/a1", patch, as: house.vic).status == .forbidden)
    }

    @Test func `a group is a command for each alarm, and the task tells which the router has put there`() async throws {
        let directory = try TemporaryDirectory()
        var house = try await Self.house(directory)
        let order =
            #"{"sourceSystemId":"noc","alarmChangedTime":"2026-03-01T00:00:00Z","parentAlarm":{"id":"a1","href":"x"},"#
            + #""correlatedAlarm":[{"id":"a2"},{"id":"m1"}]}"#
        let (status, task, _) = try await Self.send(house, .post, "/groupAlarms", order, as: house.ann)
        #expect(status == .created && task["sourceSystemId"] as? String == "noc")
        #expect(task["alarmChangedTime"] as? String == "2026-03-01T12:00:00.000Z")
        let commands = try house.commands().sorted { $0.alarm < $1.alarm }
        #expect(commands.map(\.alarm) == ["a2", "m1"] && commands.allSatisfy { $0.act == .group && $0.parent == "a1" })
        try house.answer(commands[0], .done)
        try house.answer(commands[1], .failed, code: "alarm_not_found")
        let path = "/groupAlarms/\(try #require(task["id"] as? String))"
        let end = try await Self.send(house, .get, path, as: house.vic).json
        #expect(end["state"] as? String == "terminatedWithError" && end["alarmPattern"] == nil)
        #expect((end["groupedAlarm"] as? [[String: Any]])?.map { $0["id"] as? String } == ["a2"])
        #expect((end["failedAlarm"] as? [[String: Any]])?.map { $0["id"] as? String } == ["m1"])
        #expect((end["parentAlarm"] as? [String: Any])?["id"] as? String == "a1")
        #expect((end["correlatedAlarm"] as? [[String: Any]])?.count == 2)
    }

    @Test func `tasks are known for thirty days, and go by themselves then`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        let order = #"{"alarmPattern":[{"id":"none"}]}"#
        _ = try await Self.send(house, .post, "/clearAlarms", order, as: house.ann)
        func count() throws -> Int? {
            try house.exporter.folder.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM tmf_tasks") }
        }
        let due = TestExporter.now + TMFTaskStore.kept + 1
        #expect(house.exporter.effects.nextTick == due)
        house.exporter.clock.advance(by: TMFTaskStore.kept)
        try house.exporter.take([])
        #expect(try count() == 1)
        house.exporter.clock.advance(by: 1)
        try house.exporter.take([])
        let left = try count()
        #expect(left == 0 && house.exporter.effects.nextTick == nil)
    }

    @Test func `a task that means too much is refused, and the exporter goes on`() async throws {
        let directory = try TemporaryDirectory()
        var house = try await Self.house(directory)
        try house.exporter.take([
            try house.lane.alarms((1...1_001).map { ("b\($0)", AlarmCommandTests.alarm("b\($0)")) })
        ])
        let all = #"{"alarmPattern":[{"state":"raised"}]}"#
        let (status, problem, _) = try await Self.send(house, .post, "/ackAlarms", all, as: house.ann)
        #expect(status == .badRequest && problem["field"] as? String == "alarmPattern")
        let one = #"{"alarmPattern":[{"id":"a1"}]}"#
        #expect(try await Self.send(house, .post, "/ackAlarms", one, as: house.ann).status == .created)
    }

    @Test func `a listener is a channel of its tenant, told by the notifier`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await Self.house(directory)
        let body = #"{"callback":"https://oss.example.org/listener","query":"eventType=AlarmCreateEvent"}"#
        let none = try await Self.send(house, .post, "/hub", body, as: house.orange)
        #expect(none.status == .serviceUnavailable && none.json["code"] as? String == "no_notifier")
        try house.exporter.giveNotifierKey()
        #expect(try await Self.send(house, .post, "/hub", body, as: house.ann).status == .forbidden)
        for (wrong, field) in [
            (#"{"callback":"http://127.0.0.1/x"}"#, "callback"), (#"{"callback":7}"#, "callback"),
            (#"{"callback":"https://a.org/","query":"colour=red"}"#, "query"), (#"{"query":"plmn=62401"}"#, "callback"),
            (#"{"callback":"https://a.org/","id":"x"}"#, "id"),
        ] {
            let refused = try await Self.send(house, .post, "/hub", wrong, as: house.orange)
            #expect(refused.status == .badRequest && refused.json["field"] as? String == field, "\(refused.json)")
        }
        let (status, added, _) = try await Self.send(house, .post, "/hub", body, as: house.orange)
        let id = try #require(added["id"] as? String)
        #expect(status == .created && added["query"] as? String == "eventType=AlarmCreateEvent")
        let published = try house.exporter.worker.published().filter { $0.hasPrefix("channel ") }
        #expect(published.count == 1 && published[0].contains(#""kind":"tmf642""#) && published[0].contains("orange"))
        #expect(try await Self.send(house, .get, "/hub", as: house.orange).count == "1")
        #expect(
            try await Self.send(house, .get, "/hub/\(id)", as: house.orange).json["callback"] as? String
                == "https://oss.example.org/listener")
        #expect(try await Self.send(house, .get, "/hub/\(id)", as: house.mtn).status == .notFound)
        let removed = await house.exporter.request(
            .delete, Self.base + "/hub/\(id)", headers: TestExporter.bearer(house.orange))
        #expect(removed.status == .noContent)
        #expect(try house.exporter.worker.published().last == "channel \(id) gone")
    }

    @Test func `a task covers the open alarms that its patterns mean, and tells how far it has come`() async throws {
        let directory = try TemporaryDirectory()
        var house = try await Self.house(directory)
        let order =
            #"{"ackUserId":"mallory","ackSystemId":"noc","alarmPattern":[{"rule":"r2"},{"place":[{"id":"122221"}]},{"plmn":"62401"}]}"#
        let (status, task, _) = try await Self.send(house, .post, "/ackAlarms", order, as: house.ann)
        #expect(
            status == .created && task["state"] as? String == "acknowledged" && task["ackUserId"] as? String == "ann")
        let commands = try house.commands().sorted { $0.alarm < $1.alarm }
        #expect(
            commands.map(\.alarm) == ["a2", "a3"] && commands.allSatisfy { $0.contact == "ann" && $0.system == "noc" })
        let path = "/ackAlarms/\(try #require(task["id"] as? String))"
        try house.answer(commands[0], .done)
        #expect(try await Self.send(house, .get, path, as: house.vic).json["state"] as? String == "inProgress")
        try house.answer(commands[1], .failed, code: "alarm_cleared")
        let end = try await Self.send(house, .get, path, as: house.vic).json
        #expect(end["state"] as? String == "terminatedWithError")
        #expect((end["ackedAlarm"] as? [[String: Any]])?.map { $0["id"] as? String } == ["a2"])
        #expect((end["failedAlarm"] as? [[String: Any]])?.map { $0["code"] as? String } == ["alarm_cleared"])
        #expect(try await Self.send(house, .get, "/ackAlarms", as: house.vic).count == "1")
        #expect(try await Self.send(house, .get, "/clearAlarms", as: house.vic).count == "0")
        #expect(try await Self.send(house, .get, path, as: house.mtn).status == .notFound)
        #expect(try await Self.send(house, .get, "/ackAlarms", as: house.mtn).count == "0")
        #expect(try await Self.send(house, .post, "/ackAlarms", order, as: house.vic).status == .forbidden)
        // Nothing is meant: done at once.
        let none = #"{"alarmPattern":[{"id":"m1"}],"comment":{"comment":"x"}}"#
        #expect(
            try await Self.send(house, .post, "/commentAlarms", none, as: house.ann).json["state"] as? String == "done")
    }
}
