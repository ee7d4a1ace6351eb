import Foundation
import HTTPTypes
import QoE
import ServiceKit
import TemporaryFiles
import Testing

@testable import IngestSupport

@Suite struct SamplingPolicyAPITests {
    private func policy(_ bench: APIBench, _ token: String, has tag: String? = nil) async throws -> APIBench.Answer {
        var headers: HTTPFields = [.authorization: "Bearer \(token)"]
        headers[.ifNoneMatch] = tag
        return try await bench.call(.get, "/v1/me/sampling-policy", headers: headers)
    }

    @Test func `phones are told how often to measure, and told once`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let answer = try await policy(bench, token)
        #expect(answer.status == 200 && answer.headers[.cacheControl] == "private, max-age=3600")
        #expect(
            answer.text == """
                {"least_battery_percent":10,"low_battery":{"below_percent":25,"factor":2},"moving_seconds":300,\
                "policy_version":"default-1","still_seconds":900,\
                "tests":{"every_seconds":14400,"mobile_bytes":500000,"wifi_bytes":10000000}}
                """)
        #expect(try await policy(bench, token, has: answer.headers[.eTag]).status == 304)
        #expect(try await bench.call(.get, "/v1/me/sampling-policy").status == 401)
    }

    private static let good = """
        {"policy_version":"2","moving_seconds":600,"still_seconds":1800,"low_battery":{"below_percent":30,"factor":3},
        "least_battery_percent":15,"tests":{"every_seconds":0,"wifi_bytes":0,"mobile_bytes":0}}
        """

    @Test func `a file with another policy is read`() throws {
        let directory = try TemporaryDirectory(), path = directory.path("sampling.json")
        try Data(Self.good.utf8).write(to: URL(fileURLWithPath: path))
        let rules = try SamplingFile.read(path)
        #expect(rules.movingSeconds == 600 && rules.lowBattery.factor == 3 && rules.tests.everySeconds == 0)
    }

    @Test(arguments: [
        ("600", "29", "moving_seconds 29 is not a whole number of 30…86400"),
        (#""factor":3"#, #""factor":0"#, "low_battery.factor 0 is not a whole number of 1…100"),
        (#""factor":3"#, #""faktor":3"#, "low_battery.factor is missing"),
        (#""factor":3"#, #""factor":3,"x":1"#, "low_battery.x is no member of a sampling policy"),
        (#""least_battery_percent":15"#, #""least_battery_percent":"15""#, "least_battery_percent is of another type"),
        (#""policy_version":"2""#, #""policy_version":"""#, "policy_version has 1 to 64 characters"),
        ("{", "", "is not JSON"),
    ])
    func `what is wrong with a file is said by name and range`(old: String, new: String, problem: String) throws {
        let directory = try TemporaryDirectory(), path = directory.path("sampling.json")
        let range = try #require(Self.good.range(of: old))
        try Data(Self.good.replacingCharacters(in: range, with: new).utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: ServiceError.self) { try SamplingFile.read(path) }
        #expect(
            error.map { "\($0)".contains("NKUL_INGEST_SAMPLING: \(path): \(problem)") } ?? false,
            "\(String(describing: error))")
    }

    @Test func `a file that is not there is named`() {
        let error = #expect(throws: ServiceError.self) { try SamplingFile.read("/nowhere/sampling.json") }
        #expect(error.map { "\($0)".contains("/nowhere/sampling.json: cannot be read") } ?? false)
    }
}
