import ExporterAPI
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit
import TemporaryFiles
import Testing

@testable import AnalyticsExporter

@Suite struct PromptPolicyTests {
    private func calls(_ exporter: TestExporter) -> PromptPolicyCalls {
        PromptPolicyCalls(service: exporter.api.services.promptPolicy)
    }

    private func code(_ body: () async throws -> JSONValue) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? ControlError)?.code
        }
    }

    /// The example of `docs/prompting.md`.
    private func policy(version: Int64 = 7) throws -> JSONValue {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../docs/prompting.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let example = try #require(text.firstMatch(of: /(?s)```json\n(\{.*?\n\})\n```/)).output.1
        return try JSONValue(bytes: Array(example.utf8)).with("version", .integer(version))
    }

    @Test func `a policy is published shown and kept`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        #expect(try await calls(exporter).show()["version"] == 0)
        let policy = try policy()
        #expect(try await calls(exporter).set(["document": policy]) == policy)
        #expect(try await calls(exporter).show() == policy)
        #expect(try exporter.worker.published() == ["prompt_policy policy \(policy.text)"])
        #expect(try await calls(TestExporter(directory)).show() == policy)
    }

    @Test func `its version rises`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        func set(_ version: Int64) async -> String? {
            await code { try await calls(exporter).set(["document": policy(version: version)]) }
        }
        #expect(await set(5) == nil)
        for version in [5, 4, 1] as [Int64] { #expect(await set(version) == ControlError.refused) }
        #expect(await set(6) == nil)
        #expect(try await calls(exporter).show() == policy(version: 6))
        #expect(try exporter.worker.published().count == 2)
    }

    @Test(
        arguments: [
            ([:], "document is missing"), (["document": "text"], "document is not a JSON object"),
            (["document": [1]], "document is not a JSON object"), (["document": [:]], "is missing"),
        ] as [(JSONValue, String)])
    func `what is no policy is refused and leaves nothing`(arguments: JSONValue, message: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        #expect(await fault { try await calls(exporter).set(arguments) }?.contains(message) == true)
        #expect(try exporter.worker.published().isEmpty)
    }

    @Test(
        arguments: [
            (["version"], "1", "version is not a whole number of 1…9007199254740992"), (["version"], 0, "version"),
            (["version"], 1.5, "version is not a whole number"), (["version"], .null, "version is missing"),
            (["version"], 9_007_199_254_740_993, "version is not a whole number"),
            (["rules"], .null, "rules is missing"), (["rules"], [1], "rules is of another type"),
            (["rules", "rain"], [:], "rules.rain is no member of a prompt policy"), (["note"], "x", "document.note"),
            (["rules", "slow_speed", "below_percent"], 101, "below_percent is not a whole number of 1…100"),
            (["rules", "slow_speed", "below_percent"], "40", "below_percent is not a whole number of 1…100"),
            (["rules", "call_drop", "within_minutes"], .null, "rules.call_drop.within_minutes is missing"),
            (["rules", "no_service", "after_seconds"], -1, "rules.no_service.after_seconds"),
            (["pause", "factor"], 11, "pause.factor is not a whole number of 1…10"),
            (["pause", "longest_minutes"], 1, "pause.longest_minutes is below"),
            (["quiet_hours", "from"], "25:00", "quiet_hours.from is not HH:MM"),
            (["quiet_hours", "to"], 7, "quiet_hours.to is of another type"),
            (["time_zone"], "Moon/Tycho", "time_zone"), (["daily_maximum"], 21, "daily_maximum"),
            (["emergency_bypass"], 1, "emergency_bypass is of another type"),
        ] as [([String], JSONValue, String)])
    func `a member that is wrong is named`(path: [String], value: JSONValue, message: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let wrong = try policy().with(path, value)
        let told = await fault { try await calls(exporter).set(["document": wrong]) }
        #expect(told?.contains(message) == true, "\(told ?? "taken")")
        #expect(try exporter.worker.published().isEmpty)
    }

    @Test func `rules and quiet hours may be left out`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let quiet = try policy().with(["rules"], [:]).with(["quiet_hours"], .null)
        _ = try await calls(exporter).set(["document": quiet])
        #expect(try await calls(exporter).show()["quiet_hours"] == nil)
    }

    @Test func `over HTTP a manager of a regulator sets it, everybody sees it, and the audit log knows who did`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let house = try await AlarmCommandTests.House(directory), path = "/v1/prompt-policy"
        func put(_ policy: JSONValue, as token: String) async throws -> (status: Int, json: JSONValue) {
            let answer = await house.exporter.request(
                .put, path, headers: TestExporter.bearer(token), body: policy.text)
            return (answer.status.code, try JSONValue(bytes: try await answer.bytes()))
        }
        func shown(as token: String) async throws -> JSONValue {
            try JSONValue(bytes: await house.exporter.request(path, headers: TestExporter.bearer(token)).bytes())
        }
        #expect(try await shown(as: house.vic)["version"] == 0)
        let policy = try policy(), regulator = house.exporter.token
        for token in [house.orange, house.ann] { #expect(try await put(policy, as: token).status == 403) }
        let set = try await put(policy, as: regulator)
        #expect(set.status == 200 && set.json == policy)
        #expect(try await shown(as: house.vic) == policy)
        let again = try await put(policy, as: regulator)
        #expect(again.status == 409 && again.json["detail"]?.string?.contains("not above 7") == true)
        let wrong = try await put(policy.with(["pause", "factor"], 11), as: regulator)
        #expect(wrong.status == 422 && wrong.json["field"] == "pause.factor", "\(wrong.json)")
        let published = try house.exporter.worker.published(), acts = try house.exporter.worker.acts()
        #expect(published.count { $0.hasPrefix("prompt_policy ") } == 1)
        #expect(acts.count { $0.contains("prompt_policy.set") } == 1)
    }

    /// The message of a refusal for a bad argument.
    private func fault(_ body: () async throws -> JSONValue) async -> String? {
        do { _ = try await body() } catch let error as ControlError where error.code == ControlError.badArgument {
            return error.message
        } catch { return "\(error)" }
        return nil
    }
}

extension JSONValue {
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue { with([name], value) }

    /// The same with another value at a path.
    fileprivate func with(_ path: [String], _ value: JSONValue) -> JSONValue {
        var members = object ?? [:]
        members[path[0]] = path.count == 1 ? value : (members[path[0]] ?? [:]).with(Array(path.dropFirst()), value)
        return .object(members)
    }
}
