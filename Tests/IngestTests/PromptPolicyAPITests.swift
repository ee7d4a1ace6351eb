import Foundation
import HTTPTypes
import Models
import QoE
import Testing
@testable import IngestSupport

extension PromptPolicy {
    /// A policy as operators publish it.
    static func sample(version: Int64) -> PromptPolicy {
        PromptPolicy(
            version: version, timeZone: "Africa/Douala",
            rules: Rules(callDrop: CallDrop(drops: 2, withinMinutes: 30), slowSpeed: SlowSpeed(belowPercent: 30)),
            pause: Pause(betweenMinutes: 5, afterIgnoredMinutes: 60, factor: 3, longestMinutes: 600),
            quietHours: nil, dailyMaximum: 1, emergencyBypass: false)
    }
}

extension CopiesBench.Record {
    init(key: String, _ policy: PromptPolicy) throws {
        self.init(key: key, document: Array(try JSONEncoder().encode(policy)))
    }
}

@Suite struct PromptPolicyAPITests {
    private func policy(_ bench: APIBench, _ token: String, has tag: String? = nil) async throws -> APIBench.Answer {
        var headers: HTTPFields = [.authorization: "Bearer \(token)"]
        headers[.ifNoneMatch] = tag
        return try await bench.call(.get, "/v1/me/prompt-policy", headers: headers)
    }

    private func publish(_ bench: APIBench, _ record: CopiesBench.Record) throws {
        try bench.copies.take(bench.copies.block(.operations, .promptPolicy, [record]))
    }

    @Test func `where none was published the built-in policy is in force, and says that there are no medians`()
        async throws
    {
        let bench = try await APIBench(), token = try await bench.enrol()
        let answer = try await policy(bench, token)
        #expect(answer.status == 200 && answer.headers[.cacheControl] == "private, max-age=3600")
        #expect(
            answer.text == """
                {"daily_maximum":3,"emergency_bypass":true,"medians":[],"medians_as_of":null,\
                "pause":{"after_ignored_minutes":240,"between_minutes":60,"factor":2,"longest_minutes":10080},\
                "policy_version":"default-1","quiet_hours":{"from":"21:00","to":"07:00"},\
                "rules":{"call_drop":{"drops":1,"within_minutes":60},"no_service":{"after_seconds":60},\
                "slow_speed":{"below_percent":40,"without_median_below_kbps":256}},"time_zone":"Africa/Douala"}
                """)
    }

    @Test func `what was published is served, until another is`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        for version in [3, 9] as [Int64] {
            try publish(bench, .init(key: "policy", .sample(version: version)))
            let answer = try await policy(bench, token)
            #expect(answer.json["policy_version"] as? String == "\(version)")
            #expect(answer.json["quiet_hours"] == nil && answer.json["daily_maximum"] as? Int == 1)
            #expect((answer.json["rules"] as? [String: Any])?.keys.sorted() == ["call_drop", "slow_speed"])
        }
        try publish(bench, CopiesBench.Record(key: "policy", document: nil))
        #expect(try await policy(bench, token).json["policy_version"] as? String == "default-1")
    }

    @Test func `who has it already is told so, until it changes`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let tag = try #require(try await policy(bench, token).headers[.eTag])
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let answer = try await policy(bench, token, has: known)
            #expect(answer.status == 304 && answer.body.isEmpty && answer.headers[.eTag] == tag, "\(known)")
            #expect(answer.headers[.contentLength] == nil && answer.headers[.cacheControl] != nil)
        }
        #expect(try await policy(bench, token, has: "\"x\"").status == 200)
        try publish(bench, .init(key: "policy", .sample(version: 3)))
        let changed = try await policy(bench, token, has: tag)
        #expect(changed.status == 200 && changed.headers[.eTag] != tag)
    }

    @Test func `what is no policy is left out, and the one before stays in force`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try publish(bench, .init(key: "policy", .sample(version: 3)))
        var broken = PromptPolicy.sample(version: 4)
        broken.dailyMaximum = 1_000
        try publish(bench, .init(key: "policy", broken))
        try publish(bench, CopiesBench.Record(key: "policy", document: Array(#"{"version":5}"#.utf8)))
        #expect(try await policy(bench, token).json["policy_version"] as? String == "3")
    }

    @Test func `only a device is told`() async throws {
        let bench = try await APIBench()
        #expect(try await bench.call(.get, "/v1/me/prompt-policy").status == 401)
        #expect(try await policy(bench, "x").status == 401)
        let token = try await bench.enrol()
        let post = try await bench.send("{}", token: token, path: "/v1/me/prompt-policy")
        #expect(post.status == 405)
    }
}
