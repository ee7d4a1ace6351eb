import ExporterOperations
import ExporterSupport
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Lanes
import Models
import Storage
import TemporaryFiles
import Testing
import Wire

@testable import AnalyticsExporter
@testable import ExporterAPI
@testable import ExporterStores

/// What contacts ask to be done to alarms: which form is taken, what goes to the router, and what is told of its answers.
@Suite struct AlarmCommandTests {
    static func alarm(_ id: String, plmn: String = "62402") -> String {
        #"{"id":"\#(id)","perceivedSeverity":"major","state":"raised","ackState":"unacknowledged","plmn":"\#(plmn)","#
            + #""alarmRaisedTime":"2026-03-01T11:59:00.000Z","alarmChangedTime":"2026-03-01T11:59:00.000Z"}"#
    }

    /// A home with an alarm of orange and one of mtn; contacts ann (engineer), bea (manager by the tenant's token), vic (viewer).
    struct House {
        let exporter: TestExporter
        let orange, ann, vic, mtn: String
        var lane = TestLane(.alerts)

        init(_ directory: TemporaryDirectory) async throws {
            exporter = try TestExporter(directory)
            orange = try await exporter.tenant("orange", ["62402"])
            mtn = try await exporter.tenant("mtn", ["62401"])
            ann = try await exporter.contact("ann", of: "orange", .engineer)
            vic = try await exporter.contact("vic", of: "orange", .viewer)
            try exporter.take([
                try lane.alarms([
                    ("a1", AlarmCommandTests.alarm("a1")), ("m1", AlarmCommandTests.alarm("m1", plmn: "62401")),
                ])
            ])
        }

        func post(_ path: String, _ body: String = "", as token: String) async throws -> (
            status: HTTPResponse.Status, json: [String: Any]
        ) {
            let response = await exporter.request(.post, path, headers: TestExporter.bearer(token), body: body)
            let json = try JSONSerialization.jsonObject(with: Data(try await response.bytes())) as? [String: Any]
            return (response.status, json ?? [:])
        }

        func get(_ path: String, as token: String) async throws -> [String: Any] {
            let text = try await exporter.text(path, headers: TestExporter.bearer(token))
            return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
        }

        /// Commands on the lane that are not answered, in order.
        func commands() throws -> [AlarmCommand] {
            let tasks = try exporter.folder.database.read { db in
                try Row.fetchAll(db, sql: "SELECT document FROM alarm_tasks WHERE on_lane = 1 ORDER BY at, id").map {
                    try JSONDecoder().decode(AlarmTask.self, from: Data($0[0] as Data))
                }
            }
            return tasks.map(\.command)
        }

        /// The router's answer to a task.
        mutating func answer(
            _ command: AlarmCommand, _ state: AlarmTask.State, code: String? = nil, _ handling: AlarmHandling? = nil
        ) throws {
            var blocks: [LaneBlock] = []
            if let handling {
                let document = String(decoding: try SortedJSON.bytes(of: handling), as: UTF8.self)
                blocks.append(try lane.documents([(key: handling.key, document: document)], .alarmHandling))
            }
            let task = AlarmTask(
                command: command, state: state, code: code, reason: code, decidedAt: TestExporter.now + 5,
                version: handling?.version)
            blocks.append(
                try lane.documents(
                    [(key: command.task, document: String(decoding: try SortedJSON.bytes(of: task), as: UTF8.self))],
                    .alarmTask))
            try exporter.take(blocks)
        }
    }

    @Test func `a command becomes a task that is pending until the router has decided, and leaves the lane then`()
        async throws
    {
        let directory = try TemporaryDirectory()
        var house = try await House(directory)
        let (status, task) = try await house.post("/v1/alarms/a1/acknowledge", #"{"for_minutes":30}"#, as: house.ann)
        #expect(status == .accepted && task["state"] as? String == "pending" && task["contact"] as? String == "ann")
        let command = try #require(try house.commands().first)
        #expect(
            command.act == .acknowledge && command.tenant == "orange" && command.until == TestExporter.now + 1_800_000)
        let id = try #require(task["id"] as? String)
        #expect(try await house.get("/v1/tasks/\(id)", as: house.ann)["state"] as? String == "pending")
        var handling = AlarmHandling(alarm: "a1", tenant: "orange")
        handling.version = 1
        handling.owner = "ann"
        handling.acknowledgement = .init(contact: "ann", at: TestExporter.now, until: TestExporter.now + 1_800_000)
        try house.answer(command, .done, handling)
        #expect(try await house.get("/v1/tasks/\(id)", as: house.orange)["state"] as? String == "done")
        try house.exporter.take([])
        #expect(try house.commands().isEmpty)
        let shown = try await house.get("/v1/alarms/a1", as: house.orange)
        #expect(shown["ackState"] as? String == "acknowledged" && shown["ackUserId"] as? String == "ann")
        #expect(
            shown["acknowledgedUntil"] as? String == "2026-03-01T12:30:00.000Z" && shown["owner"] as? String == "ann")
        // What one tenant does is not shown to others that see the alarm.
        let regulator = try await house.get("/v1/alarms/a1", as: house.exporter.token)
        #expect(regulator["ackState"] as? String == "unacknowledged" && regulator["owner"] == nil)
    }

    @Test func `commands that are answered stay on a full lane, and it is tried again a second later`() async throws {
        let directory = try TemporaryDirectory()
        // Room for a tenant, but not for what follows.
        let exporter = try TestExporter(directory, limits: LaneLimits(maximumBytes: 300))
        _ = try await exporter.tenant("orange", ["62402"])
        let command = AlarmCommand(
            task: "t", alarm: "a1", act: .clear, tenant: "orange", contact: "manager", at: TestExporter.now)
        try exporter.folder.database.write { try AlarmTaskStore.add(AlarmTask(command: command, state: .pending), $0) }
        var lane = TestLane(.alerts)
        let done = String(decoding: try SortedJSON.bytes(of: AlarmTask(command: command, state: .done)), as: UTF8.self)
        try exporter.take([try lane.documents([(key: "t", document: done)], .alarmTask)])
        try exporter.take([])
        let next = try #require(exporter.effects.nextTick)
        #expect(next == TestExporter.now + 1_000)
        let left = try exporter.folder.database.read { try AlarmTaskStore.table.answered(limit: 9, $0) }
        #expect(left == ["t"])
    }

    @Test func `a call that waits is answered with the decision`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory)
        let answering = Task { @Sendable [exporter = Unchecked(house)] in
            var house = exporter.value
            while try house.commands().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            try house.answer(try house.commands()[0], .failed, code: "alarm_cleared")
        }
        let (status, task) = try await house.post("/v1/alarms/a1/clear?wait=10", as: house.ann)
        try await answering.value
        #expect(status == .ok && task["state"] as? String == "failed" && task["code"] as? String == "alarm_cleared")
    }

    @Test func `foreign alarms and tasks are not there, and who may only look changes nothing`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory)
        for word in AlarmCommandService.acts.keys.sorted() {
            let body =
                [
                    "comment": #"{"text":"x"}"#, "group": #"{"parent":"a1"}"#, "handover": #"{"to":"ann"}"#,
                    "usefulness": #"{"useful":true}"#,
                    "shelve": #"{"reason":"x","for_minutes":5}"#,
                ][word] ?? ""
            #expect(try await house.post("/v1/alarms/m1/\(word)", body, as: house.ann).status == .notFound, "\(word)")
            #expect(try await house.post("/v1/alarms/a1/\(word)", body, as: house.vic).status == .forbidden, "\(word)")
        }
        #expect(try house.commands().isEmpty)
        let (_, task) = try await house.post("/v1/alarms/a1/clear", as: house.ann)
        let id = try #require(task["id"] as? String)
        for path in ["/v1/tasks/\(id)", "/v1/alarms/a1", "/v1/alarms/a1/history"] {
            let response = await house.exporter.request(path, headers: TestExporter.bearer(house.mtn))
            #expect(response.status == .notFound, "\(path)")
        }
    }

    @Test(arguments: [
        ("acknowledge", #"{"for_minutes":0}"#, "for_minutes"),
        ("acknowledge", #"{"for_minutes":10081}"#, "for_minutes"),
        ("acknowledge", #"{"until":"yesterday"}"#, "until"),
        ("acknowledge", #"{"until":"2026-03-01T11:00:00Z"}"#, "until"),
        ("acknowledge", #"{"who":"bob"}"#, "who"), ("acknowledge", #"{"version":-1}"#, "version"),
        ("handover", "{}", "to"), ("handover", #"{"to":7}"#, "to"), ("comment", "{}", "text"),
        ("comment", #"{"text":""}"#, "text"), ("comment", #"{"text":"a\u0007"}"#, "text"),
        ("shelve", #"{"reason":"x"}"#, "until"), ("shelve", #"{"for_minutes":5}"#, "reason"),
        ("shelve", #"{"for_minutes":5,"until":"2026-03-01T12:10:00Z","reason":"x"}"#, "for_minutes"),
        ("usefulness", #"{"useful":"yes"}"#, "useful"), ("clear", #"{"until":"2026-03-01T12:10:00Z"}"#, "until"),
    ])
    func `a body that is wrong is refused with the member's name`(word: String, body: String, member: String)
        async throws
    {
        let directory = try TemporaryDirectory()
        let house = try await House(directory)
        let (status, problem) = try await house.post("/v1/alarms/a1/\(word)", body, as: house.ann)
        #expect(status == .unprocessableContent && problem["field"] as? String == member, "\(problem)")
        #expect(try house.commands().isEmpty)
    }

    @Test func `an alarm is offered only to a contact of the same tenant who may do something`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory)
        for name in ["vic", "nobody"] {
            let (status, problem) = try await house.post(
                "/v1/alarms/a1/handover", #"{"to":"\#(name)"}"#, as: house.orange)
            #expect(status == .unprocessableContent && (problem["detail"] as? String)?.contains(name) == true)
        }
        #expect(try await house.post("/v1/alarms/a1/handover", #"{"to":"ann"}"#, as: house.orange).status == .accepted)
        #expect(try house.commands().map(\.to) == ["ann"])
    }

    @Test func `the history has each state once, and who did what`() async throws {
        let directory = try TemporaryDirectory()
        var house = try await House(directory)
        _ = try await house.post("/v1/alarms/a1/comment", #"{"text":"on my way"}"#, as: house.ann)
        var handling = AlarmHandling(alarm: "a1", tenant: "orange")
        handling.comments = [.init(contact: "ann", at: TestExporter.now, text: "<b>on my way</b>")]
        try house.answer(try house.commands()[0], .done, handling)
        let more = Self.alarm("a1").replacing("raised\"", with: "updated\"").replacing(
            "11:59:00.000Z\"}", with: "11:59:30.000Z\"}")
        try house.exporter.take([try house.lane.alarms([("a1", more)])])
        let over = more.replacing("updated", with: "cleared").replacing("major", with: "cleared")
            .replacing("11:59:30", with: "12:30:00")
        try house.exporter.take([try house.lane.alarms([("a1", over)])])
        let history = try await house.get("/v1/alarms/a1/history", as: house.ann)
        let states = try #require(history["states"] as? [[String: Any]])
        #expect(states.map { $0["state"] as? String } == ["raised", "updated", "cleared"])
        let acts = try #require(history["acts"] as? [[String: Any]])
        #expect(acts.count == 1 && acts[0]["act"] as? String == "comment" && acts[0]["text"] as? String == "on my way")
        let comments = try await house.get("/v1/alarms/a1", as: house.ann)["comment"] as? [[String: Any]]
        #expect(comments?.first?["comment"] as? String == "<b>on my way</b>")
        // Of an alarm that is gone nothing is left.
        try house.exporter.take([try house.lane.alarms([("a1", nil)])])
        let left = try house.exporter.folder.database.read { db in
            try Int.fetchOne(
                db,
                sql:
                    "SELECT (SELECT count(*) FROM alarm_history WHERE alarm = 'a1') + (SELECT count(*) FROM alarm_handlings)"
            )
        }
        #expect(left == 0)
    }
}

/// Hands a value to a task that is alone with it.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
