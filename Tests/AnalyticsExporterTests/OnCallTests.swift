import Channels
import ExporterOperations
import GRDB
import HTTPTypes
import Hummingbird
import Models
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterAPI
@testable import ServiceKit

/// Schedules, escalations and planned work, by the API and by `nkul admin`.
@Suite struct OnCallTests {
    private let directory: TemporaryDirectory
    private let exporter: TestExporter

    init() throws {
        directory = try TemporaryDirectory()
        exporter = try TestExporter(directory)
    }

    /// The manager's token of orange, which has engineer ann and viewer vic.
    private func orange() async throws -> (manager: String, ann: String, vic: String) {
        let manager = try await exporter.tenant("orange", ["62402"])
        return (
            manager, try await exporter.contact("ann", of: "orange", .engineer),
            try await exporter.contact("vic", of: "orange", .viewer)
        )
    }

    private func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil, as token: String
    ) async throws -> (status: Int, body: JSONValue) {
        let response = await exporter.request(
            method, path, headers: TestExporter.bearer(token), body: body?.text ?? "")
        let bytes = try await response.bytes()
        return (response.status.code, (try? JSONValue(bytes: bytes)) ?? .null)
    }

    private func admin(_ name: String, _ arguments: JSONValue) async throws -> JSONValue {
        try await OnCallCalls(service: exporter.api.services.onCall).all.first { $0.name == name }!.answer(arguments)
    }

    private let schedule: JSONValue = [
        "zone": "Africa/Douala",
        "shifts": [["days": ["sun"], "from": "08:00", "to": "20:00", "contact": "ann"]],
    ]

    @Test func `a manager sets a schedule, everybody of the tenant reads it, and nobody else knows of it`() async throws
    {
        let (manager, ann, vic) = try await orange()
        let set = try await call(.put, "/v1/schedules/noc", schedule, as: manager)
        #expect(set.status == 200 && set.body["tenant"] == "orange" && set.body["id"] == "noc")
        #expect(try await call(.get, "/v1/schedules", as: vic).body == [set.body])
        #expect(try await call(.get, "/v1/schedules/noc", as: ann).body == set.body)
        for token in [ann, vic] {
            #expect(try await call(.put, "/v1/schedules/noc", schedule, as: token).status == 403)
            #expect(try await call(.delete, "/v1/schedules/noc", as: token).status == 403)
        }
        let mtn = try await exporter.tenant("mtn", ["62401"])
        #expect(try await call(.get, "/v1/schedules", as: mtn).body == [])
        for path in ["/v1/schedules/noc", "/v1/schedules/noc/check"] {
            #expect(try await call(.get, path, as: mtn).status == 404)
        }
        #expect(try await call(.delete, "/v1/schedules/noc", as: mtn).status == 404)
        #expect(try await call(.delete, "/v1/schedules/noc", as: manager).status == 204)
        #expect(try await call(.get, "/v1/schedules/noc", as: manager).status == 404)
        let published = try exporter.worker.published().filter { $0.hasPrefix("schedule") }
        #expect(published.map { $0.prefix(19) } == ["schedule orange/noc", "schedule orange/noc"])
        #expect(published.last == "schedule orange/noc gone")
    }

    @Test(
        arguments: [
            ("schedules", ["zone": "Africa/Atlantis", "shifts": []], "zone"),
            (
                "schedules",
                [
                    "zone": "UTC",
                    "shifts": [["days": ["mon"], "from": "08:00", "to": "09:00", "contact": "nobody"]],
                ], "shifts[0].contact"
            ),
            (
                "schedules",
                ["zone": "UTC", "shifts": [["days": ["mon"], "from": "08:00", "to": "09:00", "contact": "vic"]]],
                "shifts[0].contact"
            ),
            (
                "schedules",
                [
                    "zone": "UTC",
                    "shifts": [
                        ["days": ["mon"], "from": "08:00", "to": "09:00", "contact": "ann"],
                        ["days": ["mon"], "from": "08:30", "to": "10:00", "contact": "ann"],
                    ],
                ], "shifts[1]"
            ),
            ("schedules", ["tenant": "mtn"], "tenant"),
            ("escalations", ["steps": [["contacts": ["ann", "bob"]]]], "steps[0].contacts[1]"),
            ("escalations", ["steps": [["schedule": "noc"]]], "steps[0].schedule"),
            ("escalations", ["steps": [["channel": "hook"]]], "steps[0].channel"),
            ("escalations", ["steps": [["contacts": ["ann"], "after_minutes": -1]]], "steps[0].after_minutes"),
            (
                "maintenance", ["reason": "r", "from": "2026-04-01T00:00:00Z", "to": "2026-04-01T00:00:00Z"], "to"
            ),
            (
                "maintenance", ["reason": "r", "from": "2026-04-01T00:00:00Z", "to": "2028-04-01T00:00:00Z"], "to"
            ),
            (
                "maintenance", ["reason": "r", "from": "2026-02-01T00:00:00Z", "to": "2026-02-02T00:00:00Z"], "to"
            ),
            ("maintenance", ["from": "2026-04-01T00:00:00Z", "to": "2026-04-01T01:00:00Z"], "reason"),
        ] as [(String, JSONValue, String)])
    func `what is wrong is named by its member, and nothing is set`(path: String, document: JSONValue, field: String)
        async throws
    {
        let (manager, _, _) = try await orange()
        let answer = try await call(.put, "/v1/\(path)/noc", document, as: manager)
        #expect(
            answer.status == 422 && answer.body["code"] == "invalid_document" && answer.body["field"]?.string == field,
            "\(answer.body.text)")
        #expect(try await call(.get, "/v1/\(path)", as: manager).body == [])
        #expect(try exporter.worker.published().allSatisfy { !$0.contains("/noc") })
    }

    @Test func `a tenant has a bounded number, and who sets and removes is told to the audit log`() async throws {
        let (manager, _, _) = try await orange()
        for number in 1...OnCallService.most {
            #expect(try await call(.put, "/v1/schedules/s\(number)", schedule, as: manager).status == 200)
        }
        let more = try await call(.put, "/v1/schedules/more", schedule, as: manager)
        #expect(more.status == 409 && more.body["code"] == "too_many_documents")
        #expect(try await call(.put, "/v1/schedules/s1", schedule, as: manager).status == 200)
        #expect(try await call(.delete, "/v1/schedules/s1", as: manager).status == 204)
        let acts = try exporter.worker.acts()
        #expect(acts.count == OnCallService.most + 2)
        for member in [#""act":"schedule.removed""#, #""contact":"manager""#, #""tenant":"orange""#, #""target":"s1""#]
        {
            #expect(acts.last?.contains(member) == true)
        }
    }

    @Test func `what is no document is refused`() async throws {
        let (manager, _, _) = try await orange()
        #expect(try await call(.put, "/v1/schedules/noc", [], as: manager).status == 400)
        #expect(try await call(.put, "/v1/schedules/a%20b", schedule, as: manager).status == 404)
        #expect(try await call(.put, "/v1/schedules/noc?x=1", schedule, as: manager).status == 400)
        #expect(try await call(.post, "/v1/schedules/noc", schedule, as: manager).status == 405)
        let large = JSONValue.object(["zone": .string(String(repeating: "z", count: 70_000))])
        #expect(try await call(.put, "/v1/schedules/noc", large, as: manager).status == 413)
    }

    @Test func `check says who is on call, whom an alarm would call and when work is planned`() async throws {
        let (manager, _, _) = try await orange()
        _ = try await call(.put, "/v1/schedules/noc", schedule, as: manager)
        // Sunday 2026-03-01, 13:00 in Douala.
        let checked = try await call(.get, "/v1/schedules/noc/check?days=7", as: manager).body
        #expect(checked["on_call"] == "ann")
        #expect(checked["turns"]?.array?.map { $0["contact"]?.string } == ["ann", nil, "ann"])
        #expect(checked["turns"]?.array?.first?["to"] == "2026-03-01T19:00:00.000Z")
        #expect(try await call(.get, "/v1/schedules/noc/check?days=93", as: manager).status == 400)
        let steps: JSONValue = [["schedule": "noc"], ["after_minutes": 480, "schedule": "noc"], ["contacts": ["ann"]]]
        #expect(try await call(.put, "/v1/escalations/night", ["steps": steps], as: manager).status == 200)
        let called = try await call(.get, "/v1/escalations/night/check", as: manager).body["steps"]?.array ?? []
        #expect(called.map { $0["contacts"] } == [["ann"], [], ["ann"]])
        let weekly: JSONValue = ["zone": "UTC", "days": ["mon"], "from": "00:00", "to": "01:00"]
        _ = try await call(.put, "/v1/maintenance/masts", ["reason": "masts", "weekly": weekly], as: manager)
        let work = try await call(.get, "/v1/maintenance/masts/check?days=14", as: manager).body
        #expect(work["active"] == false && work["windows"]?.array?.count == 2)
    }

    @Test func `what an escalation names stays until the escalation is gone`() async throws {
        let (manager, _, _) = try await orange()
        _ = try await call(.put, "/v1/schedules/noc", schedule, as: manager)
        _ = try await call(.put, "/v1/escalations/night", ["steps": [["schedule": "noc"]]], as: manager)
        let refused = try await call(.delete, "/v1/schedules/noc", as: manager)
        #expect(refused.status == 409 && refused.body["code"] == "in_use")
        #expect(try await call(.delete, "/v1/escalations/night", as: manager).status == 204)
        #expect(try await call(.delete, "/v1/schedules/noc", as: manager).status == 204)
    }

    @Test func `nkul admin sets the same, of a tenant that the document names`() async throws {
        _ = try await orange()
        var document = schedule.object!
        document["tenant"] = "orange"
        _ = try await admin("schedule.set", ["id": "noc", "document": .object(document)])
        #expect(try await admin("schedule.list", [:]).array?.map { $0["id"] } == ["noc"])
        #expect(try await admin("schedule.check", ["id": "noc", "tenant": "orange"])["on_call"] == "ann")
        await #expect(
            throws: ControlError.argument(
                "document.shifts[0].contact", "is \"ann\"; expected a contact of regulator that may do more than look")
        ) {
            try await admin("schedule.set", ["id": "noc", "document": schedule])
        }
        await #expect(throws: ControlError.self) { try await admin("schedule.show", ["id": "noc"]) }
        _ = try await admin("schedule.remove", ["id": "noc", "tenant": "orange"])
    }

    @Test func `a channel is a contact's only if there is one, and goes with it; what names it is told`() async throws {
        let (manager, _, _) = try await orange()
        let channels = ChannelCalls(channels: exporter.api.services.managed.channels)
        func set(_ contact: String) async throws -> JSONValue {
            try await channels.all.first { $0.name == "channel.set" }!.answer([
                "id": "mail",
                "document": [
                    "kind": "email", "tenant": "orange", "to": "a@b.cm", "contact": .string(contact),
                ],
            ])
        }
        await #expect(throws: ControlError.self) { _ = try await set("nobody") }
        _ = try await set("ann")
        _ = try await call(.put, "/v1/schedules/noc", schedule, as: manager)
        _ = try await call(.put, "/v1/escalations/night", ["steps": [["channel": "mail"]]], as: manager)
        await #expect(throws: ControlError.self) {
            _ = try await channels.all.first { $0.name == "channel.remove" }!.answer(["id": "mail"])
        }
        try await exporter.changes.submit { db, _ in
            for (key, contact) in [("front", "ann"), ("back", "eve")] {
                let document: JSONValue = ["door": 1, "tenant": "orange", "contact": .string(contact), "schedule": []]
                try DocumentStore.put(OperationRecord(.doorKey, key: key, document), of: "orange", db)
            }
            return ((), [])
        }
        let revoked = try await exporter.contactCalls.revoke(["tenant": "orange", "name": "ann"])
        #expect(revoked["removed_keys"] == ["front"])
        #expect(try exporter.worker.published().contains("door_key front gone"))
        #expect(
            revoked["removed_channels"] == ["mail"]
                && revoked["still_named_by"] == ["escalation night", "schedule noc"])
        #expect(try exporter.worker.published().contains("channel mail gone"))
    }

    @Test func `documents go with their tenant`() async throws {
        let (manager, _, _) = try await orange()
        _ = try await call(.put, "/v1/schedules/noc", schedule, as: manager)
        _ = try await exporter.tenantCalls.remove(["name": "orange"])
        #expect(try exporter.worker.published().contains("schedule orange/noc gone"))
        #expect(try await admin("schedule.list", [:]) == [])
    }

    @Test func `the history of an alarm says which of the tenant's channels was told when`() async throws {
        let other = try TemporaryDirectory()
        let house = try await AlarmCommandTests.House(other)
        var lane = TestLane(.deliveries)
        func delivery(_ id: String, _ tenant: String?, _ state: DeliveryDocument.State, at time: Int64) throws -> (
            key: String, document: String
        ) {
            let document = DeliveryDocument(
                id: id, channel: "hook", tenant: tenant, alarm: "a1", transition: "raised", state: state, attempts: 0,
                reason: state == .dead ? "answered 500" : "", createdAt: 1, changedAt: time)
            return (id, try SortedJSON.text(of: document))
        }
        try house.exporter.take([
            try lane.documents(
                [
                    delivery("d2", "orange", .dead, at: 2_000), delivery("d1", "orange", .delivered, at: 1_000),
                    delivery("d3", "regulator", .delivered, at: 3_000), delivery("d4", nil, .delivered, at: 4_000),
                ], .delivery)
        ])
        let path = "/v1/alarms/a1/history"
        let own = try #require(try await house.get(path, as: house.orange)["deliveries"] as? [[String: Any]])
        #expect(own.map { $0["id"] as? String } == ["d1", "d2"])
        #expect(own.last?["reason"] as? String == "answered 500")
        let regulator = try await house.get(path, as: house.exporter.token)["deliveries"] as? [[String: Any]]
        #expect(regulator?.map { $0["id"] as? String } == ["d3"])
    }
}
