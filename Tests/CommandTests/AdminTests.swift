import ArgumentParser
import Foundation
import ServiceKit
import Testing

@testable import Administration
@testable import Command
@testable import CommandSupport

@Suite(.timeLimit(.minutes(1)))
struct AdminTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: [
        ["tenant", "add"], ["tenant", "add", "mtn"], ["tenant", "add", "mtn", "--plmn", "62401", "--regulator"],
        ["tenant", "add", "mtn", "--plmn", "62401", "--original-ids"],
        ["contact", "add", "mtn", "ada", "--role", "king"],
        ["device", "show"], ["device", "list", "--limit", "0"], ["device", "codes", "add"],
        ["device", "codes", "add", "--count", "0", "--expires-in", "1"], ["reader", "detach", "express", "x"],
        ["campaign", "set", "c"], ["campaign", "set", "c", "--amount", "5", "--from", "tomorrow"], ["nonsense"],
        ["tenant", "list", "--nonsense"],
    ])
    func `wrong usage ends with 2`(arguments: [String]) {
        #expect {
            try NkulCommand.parseAsRoot(["admin"] + arguments)
        } throws: {
            NkulCommand.report($0) == 2
        }
    }

    @Test func `a tenant is added by the exporter, and its secrets are printed once`() async throws {
        let added: JSONValue = [
            "tenant": "mtn", "token": "t0ken", "alerts_pub": "tcp://127.0.0.1:5558",
            "alerts_replay": "tcp://127.0.0.1:5559", "server_public_key": "s", "client_public_key": "c",
            "client_secret_key": "x", "number": 1,
        ]
        try await bench.serving([.analyticsExporter: ["tenant.add": { _ in added }]]) { [bench] in
            let answer = try await bench.admin("tenant", "add", "mtn", "--plmn", "62401", "--plmn", "62402")
            #expect(answer.value == added && answer.problem == nil)
            let lines = answer.text.split(separator: "\n").map(String.init)
            #expect(lines[0] == "tenant:            mtn" && lines[1] == "token:             t0ken")
            #expect(lines.last?.contains("nobody can show them again") == true)
            #expect(
                bench.asked.all[0].arguments == [
                    "name": "mtn", "plmns": ["62401", "62402"], "scopes": [], "regulator": false,
                    "original_ids": false,
                ])
            _ = try await bench.admin("tenant", "add", "art", "--regulator", "--original-ids")
            #expect(bench.asked.all[1].arguments["regulator"] == true)
        }
    }

    @Test func `a tenant whose endpoints are not bound is shown and is a failure`() async throws {
        let added: JSONValue = ["tenant": "mtn", "token": "t", "note": "not bound yet"]
        try await bench.serving([.analyticsExporter: ["tenant.add": { _ in added }]]) { [bench] in
            let answer = try await bench.admin("tenant", "add", "mtn", "--plmn", "62401")
            #expect(answer.value == added && answer.problem == "not bound yet")
        }
    }

    @Test func `lists are tables, and JSON as the service gave it`() async throws {
        let tenants: JSONValue = [
            ["tenant": "regulator", "number": 0, "plmns": [], "regulator": true, "original_ids": true],
            [
                "tenant": "mtn", "number": 1, "plmns": ["62401", "62402"], "scopes": ["site:12"], "regulator": false,
                "original_ids": false, "alerts_pub": "tcp://127.0.0.1:5558", "removed_at_ms": 1_750_000_000_000,
            ],
        ]
        try await bench.serving([.analyticsExporter: ["tenant.list": { _ in tenants }, "rule.list": { _ in [] }]]) {
            [bench] in
            let answer = try await bench.admin("tenant", "list")
            #expect(answer.value == tenants)
            #expect(
                answer.text == """
                    NUMBER  TENANT     PLMNS        SCOPES   REGULATOR  ORIGINAL IDS  ALERTS                STATE
                         0  regulator  -            -        yes        yes           -                     active
                         1  mtn        62401,62402  site:12  no         no            tcp://127.0.0.1:5558  removed 2025-06-15T15:06:40Z
                    """)
            try await check(bench.admin("rule", "list").text, is: "no rules")
        }
    }

    @Test func `log-ins that failed are a table`() async throws {
        let failures: JSONValue = [
            ["at_ms": 1_750_000_000_000, "prefix": "203.0.113.0/24", "reason": "unknown_token", "count": 12]
        ]
        try await bench.serving([
            .analyticsExporter: ["contact.failures": { _ in failures }],
            .ingest: ["device.failures": { _ in failures }],
        ]) { [bench] in
            for noun in ["contact", "device"] {
                let answer = try await bench.admin(noun, "failures")
                #expect(answer.value == failures)
                #expect(
                    answer.text == """
                        LAST                  FROM            REASON         TIMES
                        2025-06-15T15:06:40Z  203.0.113.0/24  unknown_token     12
                        """)
            }
        }
    }

    @Test func `a device is shown with how far it is trusted, in front of what it said of itself`() async throws {
        let device: JSONValue = [
            "device": "d", "ordinal": 4, "platform": "android", "enrolled_at_ms": 1_750_000_000_000, "trust": 2,
            "days_seen": 7, "activation_batch": 3, "consent_version": 1,
        ]
        try await bench.serving([
            .ingest: ["device.show": { _ in device }, "device.list": { _ in ["devices": [device]] }]
        ]) { [bench] in
            let shown = try await bench.admin("device", "show", "4")
            #expect(shown.value == device)
            #expect(
                shown.text == """
                    device:           d
                    ordinal:          4
                    enrolled_at_ms:   2025-06-15T15:06:40Z
                    trust:            2
                    days_seen:        7
                    activation_batch: 3
                    consent_version:  1
                    platform:         android
                    """)
            #expect(
                try await bench.admin("device", "list").text == """
                    NUMBER  DEVICE  PLATFORM  APP  ENROLLED              TRUST  CONSENT  STATE
                         4  d       android   -    2025-06-15T15:06:40Z      2        1  active
                    """)
        }
    }

    @Test func `activation codes are printed once, a line each, and counted by batch`() async throws {
        let added: JSONValue = ["batch": 7, "note": "spring", "codes": ["7K3M-Q9TX-0WEB-4HZ5", "0000-0000-0000-0000"]]
        let batch: JSONValue = [
            "batch": 7, "note": "spring", "created_at_ms": 1_750_000_000_000, "expires_at_ms": 1_750_086_400_000,
            "unused": 1, "used": 1, "expired": 0, "revoked": 0,
        ]
        try await bench.serving([
            .ingest: [
                "code.add": { _ in added }, "code.list": { _ in ["batches": [batch]] }, "code.revoke": { _ in batch },
            ]
        ]) { [bench] in
            let answer = try await bench.admin(
                "device", "codes", "add", "--count", "2", "--expires-in", "30", "--note", "spring")
            #expect(answer.text == "7K3M-Q9TX-0WEB-4HZ5\n0000-0000-0000-0000" && answer.value == added)
            #expect(bench.asked.all[0].arguments == ["count": 2, "expires_in_days": 30, "note": "spring"])
            #expect(
                try await bench.admin("device", "codes", "list").text == """
                    BATCH  NOTE    CREATED               EXPIRES               UNUSED  USED  EXPIRED  REVOKED
                        7  spring  2025-06-15T15:06:40Z  2025-06-16T15:06:40Z       1     1        0        0
                    """)
            _ = try await bench.admin("device", "codes", "revoke", "7")
            #expect(bench.asked.all[2].arguments == ["batch": 7])
        }
    }

    @Test func `what a phone wrote cannot move the cursor of a terminal`() async throws {
        let device: JSONValue = ["device": "d", "platform": "android\u{1B}[2J\r\nroot"]
        try await bench.serving([.ingest: ["device.show": { _ in device }]]) { [bench] in
            let answer = try await bench.admin("device", "show", "d")
            #expect(answer.text == "device:   d\nplatform: android?[2J??root")
            #expect(answer.value == device)
        }
    }

    @Test func `a service that is down is named, with how to start it, and the exit code is 1`() async throws {
        let message = try await message { _ = try await bench.admin("tenant", "list") }
        #expect(message.contains("nkul-analytics-exporter does not run in the home \(bench.home.path)"))
        #expect(message.contains("nkul up --home \(bench.home.path)"))
        #expect(await bench.exitCode("tenant", "list", "--home", bench.home.path) == 1)
    }

    @Test func `contacts, rules and campaigns are asked of the exporter`() async throws {
        let echo: @Sendable (JSONValue) async throws -> JSONValue = { $0 }
        let names = [
            "contact.add", "contact.list", "contact.revoke", "rule.set", "rule.remove", "campaign.set",
            "campaign.remove",
            "tenant.remove",
        ]
        let file = bench.folder.write("rule.json", #"{"metric":"latency_ms","above":200}"#)
        let list = bench.folder.write("list.json", "[1]")
        try await bench.serving([.analyticsExporter: Dictionary(uniqueKeysWithValues: names.map { ($0, echo) })]) {
            [bench] in
            _ = try await bench.admin("contact", "add", "mtn", "ada", "--role", "engineer")
            _ = try await bench.admin("contact", "list", "--tenant", "mtn")
            _ = try await bench.admin("contact", "revoke", "mtn", "ada")
            _ = try await bench.admin("rule", "set", "slow", file)
            _ = try await bench.admin("rule", "remove", "slow")
            _ = try await bench.admin(
                "campaign", "set", "spring", "--amount", "50", "--daily-maximum", "2", "--operator", "62401",
                "--from", "2026-03-01T00:00:00+01:00", "--inactive")
            _ = try await bench.admin("campaign", "remove", "spring")
            _ = try await bench.admin("tenant", "remove", "mtn")
            #expect(
                bench.asked.all.map(\.name) == [
                    "contact.add", "contact.list", "contact.revoke", "rule.set", "rule.remove", "campaign.set",
                    "campaign.remove", "tenant.remove",
                ])
            let asked = bench.asked.all.map(\.arguments)
            #expect(asked[0] == ["tenant": "mtn", "name": "ada", "role": "engineer"])
            #expect(asked[1] == ["tenant": "mtn"] && asked[2] == ["tenant": "mtn", "name": "ada"])
            #expect(asked[3] == ["id": "slow", "document": ["metric": "latency_ms", "above": 200]])
            #expect(asked[4] == ["id": "slow"] && asked[6] == ["id": "spring"] && asked[7] == ["name": "mtn"])
            #expect(
                asked[5] == [
                    "id": "spring", "amount_xaf": 50, "daily_maximum": 2, "operators": ["62401"], "active": false,
                    "from_ms": 1_772_319_600_000,
                ])
            let message = try await message { _ = try await bench.admin("rule", "set", "slow", list) }
            #expect(message.contains("is not a JSON object"))
        }
    }

    @Test func `a prompt policy is set from a file, and shown with what ingest has read of it`() async throws {
        let policy: JSONValue = ["version": 3, "after": ["call_drop"]]
        let file = bench.folder.write("policy.json", policy.text)
        let copies: JSONValue = [
            "as_of_ms": 5,
            "documents": [["kind": "rule", "key": "x"], ["kind": "prompt_policy", "key": "policy", "version": 2]],
        ]
        let exporter: [String: @Sendable (JSONValue) async throws -> JSONValue] = [
            "prompt-policy.set": { $0["document"]! }, "prompt-policy.show": { _ in policy },
        ]
        try await bench.serving([.analyticsExporter: exporter, .ingest: ["operations.copies": { _ in copies }]]) {
            [bench] in
            let set = try await bench.admin("prompt-policy", "set", file)
            #expect(set.value == policy && set.text == "prompt policy version 3 is set")
            #expect(bench.asked.all[0].arguments == ["document": policy])
            let shown = try await bench.admin("prompt-policy", "show")
            #expect(shown.value == ["document": policy, "ingest_version": 2] && shown.problem == nil)
            #expect(shown.text == #"{"after":["call_drop"],"version":3}"# + "\nread by ingest: version 2")
        }
        try await bench.serving([.analyticsExporter: exporter]) { [bench] in
            let shown = try await bench.admin("prompt-policy", "show")
            #expect(shown.value == ["document": policy])
            #expect(shown.text.hasSuffix("read by ingest: cannot say, it does not run"))
            let missing = bench.folder.path + "/missing.json"
            #expect(await bench.exitCode("prompt-policy", "set", missing, "--home", bench.home.path) == 2)
        }
    }

    @Test func `without a policy of its own the built-in one is shown, and said to be that`() async throws {
        let builtIn: JSONValue = ["version": 0, "daily_maximum": 3]
        let copies: JSONValue = ["as_of_ms": 5, "documents": []]
        try await bench.serving([
            .analyticsExporter: ["prompt-policy.show": { _ in builtIn }],
            .ingest: ["operations.copies": { _ in copies }],
        ]) { [bench] in
            let shown = try await bench.admin("prompt-policy", "show")
            #expect(shown.value == ["document": builtIn])
            #expect(shown.text.hasPrefix("none is set: the built-in policy is in force (default-1)\n{"))
        }
    }

    @Test func `the audit log is listed, shown and exported whole`() async throws {
        let entries = (1...5).map { number in
            [
                "number": .integer(Int64(number)), "at_ms": 1_750_000_000_000, "actor": "device",
                "action": "consent.given",
            ]
                as JSONValue
        }
        let list: @Sendable (JSONValue) async throws -> JSONValue = { arguments in
            guard let after = arguments["after"]?.integer else {
                return ["entries": .array(entries.suffix(2).reversed()), "next": 4, "head": ["count": 5]]
            }
            let page = Array(entries.dropFirst(Int(after)).prefix(2))
            let next = after + 2 < 5 ? JSONValue.integer(after + 2) : .null
            return ["entries": .array(page), "next": next, "head": ["count": 5]]
        }
        try await bench.serving([
            .privacyWorker: ["audit.list": list, "audit.show": { entries[Int($0["number"]!.integer!) - 1] }]
        ]) { [bench] in
            let listed = try await bench.admin("audit", "list", "--limit", "2")
            #expect(listed.text.hasSuffix("More: --before 4") && listed.text.contains("consent.given"))
            try await check(bench.admin("audit", "show", "3").value, is: entries[2])
            let file = bench.folder.path + "/log.ndjson"
            #expect(await bench.exitCode("audit", "export", "-o", file, "--home", bench.home.path) == 0)
            let lines = String(decoding: bench.folder.bytes("log.ndjson"), as: UTF8.self).split(separator: "\n")
            #expect(lines.map(String.init) == entries.map(\.text) + [#"{"head":{"count":5}}"#])
            bench.folder.write("log.ndjson", "precious")
            #expect(await bench.exitCode("audit", "export", "-o", file, "--home", bench.home.path) == 1)
            #expect(bench.folder.bytes("log.ndjson") == Array("precious".utf8))
        }
    }

    @Test func `an answer without entries is no page of the audit log`() async throws {
        try await bench.serving([.privacyWorker: ["audit.list": { _ in ["head": ["count": 5]] }]]) { [bench] in
            let file = bench.folder.path + "/log.ndjson"
            #expect(await bench.exitCode("audit", "export", "-o", file, "--home", bench.home.path) == 1)
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test func `an audit log that is broken is a failure that says where`() async throws {
        let report: JSONValue = ["sound": false, "entries": 7, "fault": "entry 5 was changed"]
        try await bench.serving([.privacyWorker: ["audit.verify": { _ in report }]]) { [bench] in
            let answer = try await bench.admin("audit", "verify")
            #expect(answer.problem == "entry 5 was changed" && answer.value == report)
            #expect(await bench.exitCode("audit", "verify", "--json", "--home", bench.home.path) == 1)
        }
        try await bench.serving([.privacyWorker: ["audit.verify": { _ in ["sound": true, "entries": 7] }]]) { [bench] in
            try await check(bench.admin("audit", "verify").problem, is: nil)
            #expect(await bench.exitCode("audit", "verify", "--home", bench.home.path) == 0)
        }
    }

    @Test func `readers are gathered from the services that run, and the others are named`() async throws {
        let standing: JSONValue = [
            "lane": "batch", "reader": "batch-aggregator", "required": true, "detached": false, "committed": 7,
            "head": 12, "seen_at_ms": 0,
        ]
        try await bench.serving([.ingest: ["reader.list": { _ in [standing] }], .analyticsExporter: [:]]) { [bench] in
            let answer = try await bench.admin("reader", "list")
            #expect(answer.value == [standing])
            #expect(
                answer.text == """
                    LANE   READER            BLOCK  HEAD  BEHIND  LAST SEEN  STATE
                    batch  batch-aggregator      7    12       5  never      required
                    """)
            #expect(answer.problem?.contains("nkul-alert-router does not run") == true)
            #expect(answer.problem?.contains("nkul-ingest") == false)
            #expect(answer.problem?.contains("nkul-analytics-exporter") == false)
        }
    }

    @Test func `a reader is detached by the writer of its lane`() async throws {
        let echo: @Sendable (JSONValue) async throws -> JSONValue = { $0 }
        try await bench.serving([.ingest: ["reader.detach": echo], .alertRouter: ["reader.detach": echo]]) { [bench] in
            let forced = try await bench.admin("reader", "detach", "requests", "privacy-worker", "--force")
            #expect(forced.value == ["lane": "requests", "reader": "privacy-worker", "force": true])
            let router = try await bench.admin("reader", "detach", "alerts", "x")
            #expect(router.value == ["lane": "alerts", "reader": "x", "force": false])
        }
    }

    @Test func `status is sound only if every service runs and is ready`() async throws {
        let services = Dictionary(uniqueKeysWithValues: ServiceName.built.map { ($0, [:] as Calls) })
        try await bench.serving(services) { [bench] in
            let answer = try await bench.admin("status")
            #expect(answer.problem == nil && answer.value.array?.count == ServiceName.built.count)
        }
        let one = try await bench.admin("status")
        #expect(one.problem?.hasPrefix("not ready: ") == true && one.problem?.contains("nkul-ingest") == true)
        #expect(one.text.contains("nkul-ingest does not run"))
        let said = one.text + (one.problem ?? "")
        #expect(said.components(separatedBy: "nkul-ingest does not run").count == 2, "said once")
    }

    @Test func `in a home of one service status speaks of that one`() async throws {
        let lane = "NKUL_LANE_BATCH", settings = Settings(environment: ["NKUL_HOME": bench.home.path])
        #expect(try CommonConfiguration(settings).services == ServiceName.built)
        let apart = try CommonConfiguration(
            Settings(environment: ["NKUL_HOME": bench.home.path, lane: "tcp://ingest:7002"]))
        #expect(apart.services == ServiceName.built)
        try bench.home.prepare(for: .ingest, timeZone: "UTC")
        #expect(apart.services == [.ingest])
        try await bench.serving([.ingest: [:]]) { [bench] in
            let status = try NkulCommand.parseAsRoot(["admin", "status"])
            let action = try #require(status as? AdminStatus)
            let answer = try await action.ask(ControlClients(home: bench.home, services: [.ingest]))
            #expect(answer.problem == nil && answer.value.array?.count == 1)
        }
    }

    private typealias Calls = [String: @Sendable (JSONValue) async throws -> JSONValue]

    private func message(_ body: () async throws -> Void) async throws -> String {
        do {
            try await body()
            return ""
        } catch {
            return "\(error)"
        }
    }
}
