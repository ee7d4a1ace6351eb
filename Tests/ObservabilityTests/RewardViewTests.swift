import Foundation
import PipelineTesting
import ServiceKit
import SocketTesting
import Testing

/// From a feedback to what its subscriber is told of the reward, through running services.
@Suite(.timeLimit(.minutes(2))) struct RewardViewTests {
    private let enrolment = """
        {"platform":"android","app_version":"1.0","policy_version":"1","consent":{"measurement":true,"rewards":true}}
        """

    private func ask(
        _ method: String, _ path: String, _ port: Int, _ token: String? = nil, _ body: String = ""
    ) async throws -> [String: Any] {
        var headers = ["Content-Type": "application/json"]
        if let token { headers["Authorization"] = "Bearer \(token)" }
        let answer = try await apart { [headers] in
            try HTTPExchange.send(method, path, port: port, headers: headers, body: Array(body.utf8))
        }
        #expect((200..<300).contains(answer.status), "\(answer.text)")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    private func port(_ house: House) async throws -> Int {
        #expect(try await eventually { house.port(of: "device_api", .ingest) != nil })
        return try #require(house.port(of: "device_api", .ingest))
    }

    @Test func `with the settings as they are, a new phone's feedback is paid, and the phone sees it`() async throws {
        let house = try House([.ingest, .rewardDispatcher])
        let port = try await port(house)
        let phone = try #require(try await ask("POST", "/v1/devices", port, nil, enrolment)["token"] as? String)
        let other = try #require(try await ask("POST", "/v1/devices", port, nil, enrolment)["token"] as? String)
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let feedback = #"{"seq":1,"captured_at_ms":\#(now),"rating":4,"mcc":"624","mnc":"01"}"#
        _ = try await ask("POST", "/v1/feedback", port, phone, feedback)
        #expect(
            try await eventually {
                let balance = try await ask("GET", "/v1/me/rewards", port, phone)["balance"] as? [String: Any]
                return balance?["paid_xaf"] as? Int == 50
            })
        let told = try await ask("GET", "/v1/me/rewards", port, phone)
        let grant = try #require((told["grants"] as? [[String: Any]])?.first)
        #expect(grant["state"] as? String == "confirmed" && grant["campaign"] as? String == "built-in")
        #expect((told["streak"] as? [String: Int]) == ["days": 1, "best": 1])
        #expect(told["as_of_ms"] != nil)
        #expect((try await ask("GET", "/v1/me/rewards", port, other)["grants"] as? [Any])?.isEmpty == true)
        try await house.stop()
    }

    @Test func `without the services it copies from, ingest is ready and says that it has read nothing yet`()
        async throws
    {
        let house = try House([.ingest])
        let port = try await port(house)
        let readiness = try #require(house.hosts[.ingest]?.readiness)
        #expect(try await eventually { readiness.isReady })
        #expect(Set(readiness.conditions.map(\.name)).isSuperset(of: ["lane rewards", "lane operations"]))
        let phone = try #require(try await ask("POST", "/v1/devices", port, nil, enrolment)["token"] as? String)
        let told = try await ask("GET", "/v1/me/rewards", port, phone)
        #expect(told["as_of_ms"] == nil && (told["grants"] as? [Any])?.isEmpty == true)
        try await house.stop()
    }
}
