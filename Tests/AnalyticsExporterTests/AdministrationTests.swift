import ExporterOperations
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Lanes
import Models
import Storage
import Synchronization
import TemporaryFiles
import Testing
import ZeroMQ

@testable import AnalyticsExporter
@testable import ExporterStores
@testable import ExporterSupport
@testable import ServiceKit

@Suite struct AdministrationTests {
    private func endpoint(_ tenant: String, curve: Bool = true) throws -> LaneBlock {
        var lane = TestLane(.alerts)
        let document = EndpointDocument(
            tenant: tenant, alertsPub: "tcp://127.0.0.1:5558", alertsReplay: "tcp://127.0.0.1:5559",
            serverPublicKey: "S", curve: curve)
        return try lane.documents(
            [(tenant, String(decoding: SortedJSON.bytes(of: document), as: UTF8.self))], .endpoint)
    }

    @Test func `a tenant is stored and published in one transaction without secrets`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let answer = try await exporter.tenantCalls.add([
            "name": "mtn", "plmns": ["62402", "62401", "62401"], "contact": "Ngo Bassong",
        ])
        let publicKey = try #require(answer["client_public_key"]?.string)
        let secretKey = try #require(answer["client_secret_key"]?.string)
        let token = try #require(answer["token"]?.string)
        #expect(try CurveKeyPair(secretKey: secretKey).publicKey == publicKey)
        #expect(token.count == 64 && answer["number"]?.integer == 1)
        #expect(answer["alerts_pub"] == nil && answer["bound"]?.bool == false && answer["note"] != nil)
        let published = try exporter.worker.published()
        #expect(
            published == [
                #"tenant mtn {"client_public_key":"\#(publicKey)","name":"mtn","number":1,"original_ids":false,"#
                    + #""plmns":["62401","62402"],"regulator":false}"#,
                #"contact mtn/Ngo Bassong {"name":"Ngo Bassong","role":"manager","tenant":"mtn"}"#,
            ])
        for file in ["state.sqlite", "state.sqlite-wal"] {
            let bytes = FileManager.default.contents(atPath: directory.path + "/" + file) ?? Data()
            for secret in [token, secretKey] { #expect(bytes.range(of: Data(secret.utf8)) == nil) }
        }
    }

    /// The thread of the effects may not wake tasks itself (`Messenger`).
    @Test func `whoever waits for a change or for endpoints is told as the queue says`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        _ = try await exporter.tenantCalls.add(["name": "mtn", "plmns": ["62401"]])
        #expect(exporter.told.count.load(ordering: .relaxed) == 1)
        try exporter.take([try endpoint("mtn")])
        #expect(exporter.told.count.load(ordering: .relaxed) == 2)
    }

    @Test func `adding returns with the endpoints once the router has announced them`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var calls = exporter.tenantCalls
        calls.patience = .seconds(60)
        let adding = Task { [calls] in try await calls.add(["name": "mtn", "plmns": ["62401"]]) }
        while try exporter.worker.published().isEmpty { await Task.yield() }
        try exporter.take([try endpoint("mtn")])
        let answer = try await adding.value
        #expect(answer["alerts_pub"] == "tcp://127.0.0.1:5558" && answer["alerts_replay"] == "tcp://127.0.0.1:5559")
        #expect(answer["server_public_key"] == "S" && answer["curve"] == true && answer["note"] == nil)
    }

    @Test func `an endpoint in clear text has no keys in the answer`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var calls = exporter.tenantCalls
        calls.patience = .seconds(60)
        let adding = Task { [calls] in try await calls.add(["name": "mtn", "plmns": ["62401"]]) }
        while try exporter.worker.published().isEmpty { await Task.yield() }
        try exporter.take([try endpoint("mtn", curve: false)])
        let answer = try await adding.value
        #expect(answer["curve"] == false && answer["token"] != nil && answer["alerts_pub"] == "tcp://127.0.0.1:5558")
        #expect(try #require(answer.object).keys.filter { $0.hasSuffix("_key") } == [])
    }

    @Test func `a full journal refuses what it would tell and nothing else`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory, limits: LaneLimits(maximumBytes: 300))
        let token = try await exporter.tenant("mtn", ["62401"])
        let published = try exporter.worker.published()
        let changes: [(JSONValue, @Sendable (JSONValue) async throws -> JSONValue)] = [
            (["name": "orange", "plmns": ["62402"]], exporter.tenantCalls.add),
            (["tenant": "mtn", "name": "Ngo", "role": "viewer"], exporter.contactCalls.add),
            (["tenant": "mtn", "name": "manager"], exporter.contactCalls.revoke),
            (["name": "mtn"], exporter.tenantCalls.remove),
        ]
        for (arguments, call) in changes {
            let error = await #expect(throws: ControlError.self) { _ = try await call(arguments) }
            #expect(error?.code == "journal_full" && error?.message.contains("NKUL_LANE_OPERATIONS_BYTES") == true)
        }
        #expect(try exporter.worker.published() == published)
        #expect(try await exporter.tenantCalls.list([:]).array?.count == 2)
        #expect(try await exporter.contactCalls.list([:]).array?.count == 1)
        #expect(await exporter.logIn(token).cookie != nil)
    }

    @Test func `what was not bound in time is shown by the list later`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        _ = try await exporter.tenant("mtn", ["62401"])
        try exporter.take([try endpoint("mtn")])
        let again = try TestExporter(directory)
        for one in [exporter, again] {
            let list = try #require(try await one.tenantCalls.list([:]).array)
            #expect(list.map { $0["tenant"]?.string } == ["regulator", "mtn"])
            #expect(list[1]["alerts_pub"] == "tcp://127.0.0.1:5558" && list[1]["client_secret_key"] == nil)
        }
    }

    @Test func `a removed tenant sees nothing and its name and number never come again`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let token = try await exporter.tenant("mtn", ["62401"])
        _ = try await exporter.tenantCalls.remove(["name": "mtn"])
        #expect(
            await exporter.request("/v1/alarms", headers: TestExporter.bearer(token)).status == .unauthorized)
        #expect(try exporter.worker.published().suffix(2) == ["contact mtn/manager gone", "tenant mtn gone"])
        await #expect(throws: ControlError.self) { try await exporter.tenant("mtn", ["62401"]) }
        await #expect(throws: ControlError.self) { try await exporter.contact("x", of: "mtn", .viewer) }
        await #expect(throws: ControlError.self) { try await exporter.tenantCalls.remove(["name": "mtn"]) }
        let next = try await exporter.tenantCalls.add(["name": "orange", "plmns": ["62402"]])
        #expect(next["number"] == 2)
    }

    @Test(
        arguments: [
            ["name": "", "plmns": ["62401"]], ["name": "Mtn", "plmns": ["62401"]],
            ["name": "../x", "plmns": ["62401"]],
            ["name": "regulator", "regulator": true], ["name": "lanes", "plmns": ["62401"]], ["name": "mtn"],
            ["name": "mtn", "plmns": ["6240"]],
            ["name": "mtn", "plmns": "62401"], ["name": "mtn", "plmns": ["62401"], "original_ids": true],
            ["name": "mtn", "plmns": ["62401"], "contact": "a/b"],
        ] as [JSONValue])
    func `what is no tenant is refused and leaves nothing`(arguments: JSONValue) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        await #expect(throws: ControlError.self) { try await exporter.tenantCalls.add(arguments) }
        #expect(try exporter.worker.published().isEmpty)
        #expect(try await exporter.tenantCalls.list([:]).array?.count == 1)
    }

    @Test func `a refused change does not disturb the others of its transaction`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        exporter.changes.wake {}
        let tenants = exporter.tenantCalls, contacts = exporter.contactCalls
        let first = Task { try await tenants.add(["name": "mtn", "plmns": ["62401"]]) }
        while exporter.changes.waiting < 1 { await Task.yield() }
        // Its contact would be the tenant's second of that name.
        let second = Task { try await contacts.add(["tenant": "mtn", "name": "manager", "role": "viewer"]) }
        while exporter.changes.waiting < 2 { await Task.yield() }
        let third = Task { try await contacts.add(["tenant": "mtn", "name": "other", "role": "viewer"]) }
        while exporter.changes.waiting < 3 { await Task.yield() }
        try exporter.worker.step([])
        #expect(try await first.value["number"] == 1)
        await #expect(throws: ControlError.self) { try await second.value }
        #expect(try await third.value["name"] == "other")
        #expect(try exporter.worker.published().count == 3)
    }

    @Test func `contacts are listed without tokens and their names are theirs`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        _ = try await exporter.tenant("mtn", ["62401"])
        let token = try await exporter.contact("Ngo", of: "regulator", .engineer)
        await #expect(throws: ControlError.self) { try await exporter.contact("manager", of: "mtn", .viewer) }
        _ = try await exporter.contactCalls.revoke(["tenant": "mtn", "name": "manager"])
        _ = try await exporter.contact("manager", of: "mtn", .viewer)
        let list = try await exporter.contactCalls.list([:])
        #expect(!list.text.contains(token))
        #expect(
            list.array?.map { "\($0["tenant"]!.string!)/\($0["name"]!.string!) \($0["revoked_at_ms"] != nil)" } == [
                "regulator/Ngo false", "mtn/manager true", "mtn/manager false",
            ])
        #expect(try await exporter.contactCalls.list(["tenant": "regulator"]).array?.count == 1)
        #expect(await exporter.request("/v1/alarms", headers: TestExporter.bearer(token)).status == .ok)
    }

    @Test func `rules and campaigns are published listed and removed`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let calls = exporter.documentCalls
        _ = try await calls.answer("rule.set", ["id": "drops", "document": Self.rule])
        _ = try await calls.answer(
            "campaign.set", ["id": "c1", "amount_xaf": 50, "operators": ["62401"], "from_ms": 9])
        #expect(
            try await calls.answer("rule.list", [:]) == [
                ["id": "drops", "document": Self.rule]
            ])
        #expect(try await calls.answer("campaign.list", [:]).array?.first?["daily_maximum"] == 1)
        _ = try await calls.answer("campaign.remove", ["id": "c1"])
        await #expect(throws: ControlError.self) { try await calls.answer("campaign.remove", ["id": "c1"]) }
        await #expect(throws: ControlError.self) { try await calls.answer("rule.set", ["id": "x y", "document": [:]]) }
        await #expect(throws: ControlError.self) {
            try await calls.answer("campaign.set", ["id": "c", "amount_xaf": 0])
        }
        #expect(
            try exporter.worker.published() == [
                "rule drops \(Self.rule.text)",
                #"campaign c1 {"active":true,"amount_xaf":50,"daily_maximum":1,"from_ms":9,"id":"c1","#
                    + #""operators":["62401"],"to_ms":32503680000000,"version":1}"#,
                "campaign c1 gone",
            ])
    }

    static let rule: JSONValue = [
        "version": 1, "kind": "count", "metric": "event", "bad": ["call_drop"], "window_s": 900, "set": 5, "clear": 2,
        "hold_set_s": 0, "hold_clear_s": 300, "level": 12, "severity": "minor", "text": "calls are dropped",
    ]

    @Test(
        arguments: [
            ("kind", nil, "document.kind is missing"),
            ("kind", "hope", "document.kind is \"hope\"; expected one of urgent"),
            ("clear", 5, "document.clear is 5; expected less than set, which is 5"),
            ("set", "5", "document.set is \"5\"; expected 1…256"),
            ("window_s", 0, "document.window_s is 0; expected 60…86400"),
            ("window_s", 31_536_000, "expected 60…86400"), ("treshold", 5, "document.treshold is unknown"),
            ("zone", "Africa/Atlantis", "document.zone is \"Africa/Atlantis\"; expected an IANA zone"),
        ] as [(String, JSONValue?, String)])
    func `a document that is no rule is refused, naming the member and its range`(
        member: String, value: JSONValue?, text: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var members = try #require(Self.rule.object)
        members[member] = value
        let document = JSONValue.object(members)
        let error = await #expect(throws: ControlError.self) {
            try await exporter.documentCalls.answer("rule.set", ["id": "x", "document": document])
        }
        #expect("\(try #require(error))".contains(text))
        #expect(try await exporter.documentCalls.answer("rule.list", [:]) == [])
    }

    @Test func `a campaign that nobody would pay is refused and the refusal names the range`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let most = CampaignDocument.amounts.upperBound
        _ = try await exporter.documentCalls.answer("campaign.set", ["id": "c", "amount_xaf": .integer(most)])
        let refusal = await #expect(throws: ControlError.self) {
            try await exporter.documentCalls.answer("campaign.set", ["id": "c", "amount_xaf": .integer(most + 1)])
        }
        #expect(refusal?.message == "argument amount_xaf is 10001; expected 1…10000")
    }

    @Test func `a home of the version before keeps its alarms with their networks`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/state.sqlite"
        let old = try ServiceDatabase(path: path, migrations: Array(ExporterStore.migrations.prefix(1)))
        try old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO alarms VALUES ('a', CAST('{"plmn":"62402"}' AS BLOB)), ('b', CAST('{"plmn":"unknown"}' AS BLOB));
                    INSERT INTO alarm_changes (alarm, document) VALUES ('a', CAST('{"plmn":"62402"}' AS BLOB)), ('a', NULL);
                    """)
        }
        try old.close()
        let exporter = try TestExporter(directory)
        let own = Tenant(
            number: 1, name: "orange", networks: [PLMN(text: "62402")!], isRegulator: false, showsOriginalIDs: false)
        try exporter.folder.database.read { db in
            #expect(try AlarmStore.page(AlarmFilter(), offset: 0, limit: 9, own, db).documents.count == 1)
            #expect(try AlarmStore.page(AlarmFilter(), offset: 0, limit: 9, .builtIn, db).documents.count == 2)
            let page = try AlarmStore.changes(after: 0, limit: 10, own, db)
            #expect(page?.changes.map(\.sequence) == [1] && page?.through == 2)
        }
    }
}

extension DocumentCalls {
    /// Calls by name, as the control socket does.
    func answer(_ name: String, _ arguments: JSONValue) async throws -> JSONValue {
        try await all.first { $0.name == name }!.answer(arguments)
    }
}
