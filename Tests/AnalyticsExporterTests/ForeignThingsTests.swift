import Foundation
import HTTPTypes
import Hummingbird
import Models
import ServiceKit
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterAPI
@testable import ExporterSupport

/// What belongs to one tenant is not there for another, whichever call names it; and whoever does something is the contact whose
/// token it is.
@Suite struct ForeignThingsTests {
    /// Things of orange by what stands before their name in a path.
    private static func things(_ house: inout AlarmCommandTests.House) async throws -> [String: String] {
        var things = ["/v1/alarms/": "a1", TMF642.base + "alarm/": "a1"]
        things["/v1/tasks/"] =
            try await house.post("/v1/alarms/a1/comment", #"{"text":"x"}"#, as: house.ann).json["id"] as? String
        for kind in TMFTaskKind.allCases {
            things[TMF642.base + "\(kind.rawValue)/"] =
                try await house.post(TMF642.base + kind.rawValue, order(kind), as: house.ann).json["id"] as? String
        }
        try house.exporter.giveNotifierKey()
        things[TMF642.base + "hub/"] =
            try await house.post(TMF642.base + "hub", #"{"callback":"https://oss.example.org/x"}"#, as: house.orange)
            .json["id"] as? String
        for (path, document) in [("/v1/rules/", ManagedDocumentsTests.rule()), ("/v1/channels/", email)] {
            let set = await house.exporter.request(
                .put, path + "mine", headers: TestExporter.bearer(house.orange), body: document)
            if set.status == .created { things[path] = "mine" }
        }
        let documents = [
            "schedules": #"{"zone":"UTC","shifts":[{"days":["mon"],"from":"08:00","to":"09:00","contact":"ann"}]}"#,
            "escalations": #"{"steps":[{"contacts":["ann"]}]}"#,
            "maintenance": #"{"reason":"x","weekly":{"zone":"UTC","days":["mon"],"from":"08:00","to":"09:00"}}"#,
        ]
        for (path, document) in documents {
            let answer = await house.exporter.request(
                .put, "/v1/\(path)/noc", headers: TestExporter.bearer(house.orange), body: document)
            things["/v1/\(path)/"] = answer.status == .ok ? "noc" : nil
        }
        // Nothing of these is made here; names that orange could have are no more there than others.
        things["/v1/erasure-notices/"] = String(repeating: "0", count: 32)
        things["/portal/"] = String(repeating: "0", count: 64)
        for (kind, id, document) in [
            (SiteKind.site, "12", #"{"name":"Quay","zone":"Africa/Douala"}"#),
            (.sensor, "7", #"{"site":12,"name":"S"}"#),
            (.door, "3", #"{"site":12,"name":"D","device":5}"#),
            (
                .key, "k1",
                #"{"door":3,"tenant":"orange","contact":"ann","schedule":[{"from":"00:00","to":"24:00"}]}"#
            ),
        ] {
            let value = try JSONValue(bytes: Array(document.utf8))
            _ = try await house.exporter.api.services.sites.documents.put(kind, id, value, by: .builtIn)
            things["/v1/\(kind.rawValue)s/"] = id
        }
        things["/v1/exports/"] = "reports-2026-03-01T11.csv.gz"
        // Releases are the same for everybody.
        things["/v1/releases/"] = "final-qoe-62402-20260301T230000Z"
        return things
    }

    private static let email = #"{"kind":"email","to":"noc@example.org"}"#

    /// What is ordered in the name of somebody else.
    private static func order(_ kind: TMFTaskKind) -> String {
        if kind.isOfGroup { return #"{"parentAlarm":{"id":"a1"},"correlatedAlarm":[{"id":"a2"}]}"# }
        let pattern = #""alarmPattern":[{"id":"a1"}]"#
        guard kind == .commentAlarms else { return #"{\#(pattern),"\#(kind.names.user ?? "")":"mallory"}"# }
        return #"{\#(pattern),"comment":{"comment":"x","userId":"mallory"}}"#
    }

    /// A body that the call takes.
    private static func body(_ route: ExporterRoute) -> String {
        switch route.path.split(separator: "/").last {
        case "comment": return #"{"text":"x"}"#
        case "group": return #"{"parent":"m1"}"#
        case "handover": return #"{"to":"ann"}"#
        case "usefulness": return #"{"useful":true}"#
        case "test": return #"{"document":\#(ManagedDocumentsTests.rule())}"#
        case "shelve": return #"{"reason":"x","for_minutes":5}"#
        default: break
        }
        guard route.method == .put else { return route.method == .patch ? #"{"ackState":"acknowledged"}"# : "" }
        return route.path.hasPrefix("/v1/rules") ? ManagedDocumentsTests.rule() : email
    }

    @Test func `every call that names something of another tenant is 404, and nothing is done`() async throws {
        let directory = try TemporaryDirectory()
        var house = try await AlarmCommandTests.House(directory)
        let things = try await Self.things(&house), before = try house.commands().count
        // What is put there is the tenant's own, whatever others have of that name.
        let own = ["/v1/schedules/", "/v1/escalations/", "/v1/maintenance/"]
        let routes = house.exporter.api.routes.filter { route in
            route.path.contains("{") && !(route.method == .put && own.contains(where: route.path.hasPrefix))
        }
        #expect(routes.count > 20)
        for route in routes {
            let start = String(route.path.prefix { $0 != "{" })
            let id = try #require(things[start], "nothing of orange for \(route.path)")
            let rest = route.path.drop { $0 != "}" }.dropFirst()
            for base in [start, start.replacing(TMF642.base, with: TMF642.alias)] {
                // Nobody creates or deletes an alarm, foreign or not.
                let expected: HTTPResponse.Status =
                    route.method == .delete && start.hasSuffix("/alarm/") ? .forbidden : .notFound
                let answer = await house.exporter.request(
                    route.method, base + id + rest, headers: TestExporter.bearer(house.mtn), body: Self.body(route))
                #expect(answer.status == expected, "\(route.method) \(base + id + rest)")
            }
        }
        #expect(try house.commands().count == before)
    }

    @Test func `whoever does something is the contact of the token, whatever the body says`() async throws {
        let directory = try TemporaryDirectory()
        var house = try await AlarmCommandTests.House(directory)
        _ = try await Self.things(&house)
        let patch = #"{"ackState":"acknowledged","ackUserId":"mallory","comment":{"comment":"y","userId":"mallory"}}"#
        let path = TMF642.base + "alarm/a1"
        _ = await house.exporter.request(.patch, path, headers: TestExporter.bearer(house.ann), body: patch)
        let commands = try house.commands()
        #expect(commands.count >= 8 && commands.allSatisfy { $0.contact == "ann" && $0.tenant == "orange" })
        let tasks = try await house.exporter.text(TMF642.base + "ackAlarms", headers: TestExporter.bearer(house.ann))
        #expect(tasks.contains(#""ackUserId":"ann""#) && !tasks.contains("mallory"))
    }

    @Test func `an acknowledgement is taken back by a task, under either name of the interface`() async throws {
        let directory = try TemporaryDirectory()
        var house = try await AlarmCommandTests.House(directory)
        let order = #"{"alarmPattern":[{"id":"a1"}],"ackSystemId":"noc","ackUserId":"mallory"}"#
        let (status, task) = try await house.post(TMF642.alias + "unAckAlarms", order, as: house.ann)
        let href = try #require(task["href"] as? String)
        #expect(status == .created && href.hasPrefix(TMF642.base + "unAckAlarms/"))
        let command = try #require(try house.commands().first)
        #expect(command.act == .unacknowledge && command.contact == "ann" && command.system == "noc")
        try house.answer(command, .failed, code: "not_acknowledged")
        let end = try await house.get(href.replacing(TMF642.base, with: TMF642.alias), as: house.vic)
        #expect(end["state"] as? String == "terminatedWithError" && (end["unAckedAlarm"] as? [Any])?.isEmpty == true)
    }
}
