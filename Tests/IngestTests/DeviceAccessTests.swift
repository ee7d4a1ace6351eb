import Foundation
import HTTPTypes
import IngestSupport
import Models
import QoE
import ServiceKit
import Testing

@testable import Ingest
@testable import IngestAPI

/// A device reaches its own data only: every call of a device, with everything that is another's put wherever it fits.
@Suite struct DeviceAccessTests {
    /// What is another device's, and what it should never become.
    private struct Victim {
        let token: String
        let id: String
        let record = "7f3c1e52-9d0a-4b7e-8c11-000000000001"
        let key = "the-victims-upload"
        /// The number of its upload and of its grant; what it is worth; its payout number.
        let batch: String
        let grant = "00000000000000000000000000000001"
        let cursor: String
        let erasure: String
        let access: String
        let number = "+237670000077"

        /// What no answer to somebody else may contain.
        var secrets: [String] { [token, id, batch, grant, "77130", String(number.suffix(6))] }
    }

    /// A request that somebody else makes, and what it must be answered.
    private struct Attempt {
        let method: HTTPRequest.Method
        let path: String
        var body = ""
        let statuses: Set<Int>
    }

    /// What an attacker tries at each call. A call that is not here fails the test: think of what it gives away.
    private static func attempts(_ path: String, _ victim: Victim) -> [Attempt]? {
        let named = "?device=\(victim.id)&device_id=\(victim.id)&token=\(victim.token)"
        func get(_ query: String, _ statuses: Set<Int> = [200]) -> Attempt {
            Attempt(method: .get, path: path + query, statuses: statuses)
        }
        func post(_ body: String, _ statuses: Set<Int> = [200]) -> Attempt {
            Attempt(method: .post, path: path + named, body: body, statuses: statuses)
        }
        let row = #""id":"\#(victim.record)","device":1,"device_id":"\#(victim.id)","captured_at_ms":\#(Reading.now)"#
        let identifiers = [victim.id, "1", victim.grant, victim.batch, victim.record, "../\(victim.id)", "%2e%2e%2f1"]
        switch path {
        case "/v1/reports": return [post("{\(row)}"), post("[{\(row)},{\(row),\"seq\":1}]")]
        case "/v1/feedback": return [post(#"{\#(row),"rating":4,"report_id":"\#(victim.record)"}"#)]
        case "/v1/me/prompts": return [post(#"{\#(row),"prompt_id":"p1","outcome":"answered","policy_version":"1"}"#)]
        case DeviceRoute.consent.rawValue:
            let body = #"{"device_id":"\#(victim.id)","consent":{"measurement":true},"policy_version":"2"}"#
            return [get(""), get(named), Attempt(method: .put, path: path + named, body: body, statuses: [200])]
        case DeviceRoute.samplingPolicy.rawValue: return [get(""), get(named)]
        case DeviceRoute.passkey.rawValue:
            // Nothing is turned on, and nothing turned off that is another's.
            return [
                get(named), post(#"{"device_id":"\#(victim.id)"}"#, [201]),
                Attempt(method: .put, path: path + named, body: #"{"device_id":"\#(victim.id)"}"#, statuses: [422]),
                Attempt(method: .delete, path: path + named, statuses: [200]),
            ]
        case DeviceRoute.promptPolicy.rawValue: return [get("", [200, 404]), get(named, [200, 404])]
        case DeviceRoute.rewards.rawValue:
            return [get(""), get(named), get("?after=\(victim.cursor)"), get("?limit=100&after=\(victim.cursor)")]
        case DeviceRoute.payout.rawValue:
            let body = #"{"phone":"+237670000001","operator":"62401","device_id":"\#(victim.id)"}"#
            return [Attempt(method: .put, path: path + named, body: body, statuses: [202, 200, 204, 403, 503])]
        case DeviceRoute.push.rawValue:
            let body =
                #"{"endpoint":"https://push.example.org/1","keys":{"p256dh":"","auth":""},"device_id":"\#(victim.id)"}"#
            return [
                get(named), Attempt(method: .put, path: path + named, body: body, statuses: [422]),
                Attempt(method: .delete, path: path + named, statuses: [200]),
            ]
        case DeviceRoute.geosubmit.rawValue:
            let body = #"{"items":[{\#(row),"cellTowers":[{"serving":1}]}]}"#
            return [
                post(body, [401]),
                Attempt(method: .post, path: path + "?key=\(victim.token)", body: body, statuses: [401]),
            ]
        case DeviceRoute.uploadKey.rawValue: return [post(#"{"device_id":"\#(victim.id)"}"#, [201])]
        // The opening needs more than a request: `realtime` has it.
        case DeviceRoute.realtime.rawValue: return [get(named, [400, 426])]
        case DeviceRoute.impact.rawValue, DeviceRoute.progress.rawValue, DeviceRoute.standings.rawValue:
            return [get(named)]
        case DeviceRoute.nickname.rawValue:
            let body = #"{"nickname":"Ann","device_id":"\#(victim.id)"}"#
            return [Attempt(method: .put, path: path + named, body: body, statuses: [200, 403])]
        case DeviceRoute.data.rawValue: return [post(#"{"device_id":"\#(victim.id)"}"#, [202])]
        case DeviceRoute.erasures.rawValue:
            return [
                post(#"{"device_id":"\#(victim.id)","scope":{"all":true}}"#, [202]),
                post(#"{"device_id":"\#(victim.id)","scope":{"to":"2025-10-01T00:00:00Z"}}"#, [202]),
            ]
        case DeviceRoute.dataRequest.rawValue, DeviceRoute.erasure.rawValue:
            return (identifiers + [victim.erasure, victim.access]).map {
                Attempt(method: .get, path: path.replacing("{request_id}", with: $0), statuses: [404])
            }
        default: return nil
        }
    }

    private func victim(_ bench: APIBench) async throws -> Victim {
        let answer = try await bench.call(.post, "/v1/devices", Array(APIBench.enrolment.utf8))
        let token = try #require(answer.json["token"] as? String),
            id = try #require(answer.json["device_id"] as? String)
        try bench.copies.take(
            bench.copies.grants([.sample(1), .sample(2)]), bench.copies.balance(1, paid: 77_130, pending: 77_130))
        let record = #"{"id":"7f3c1e52-9d0a-4b7e-8c11-000000000001","captured_at_ms":\#(Reading.now),"latency_ms":5}"#
        let receipt = try await bench.send(
            record, token: token, headers: [HTTPField.Name("Idempotency-Key")!: "the-victims-upload"])
        let page = try await bench.call(
            .get, "/v1/me/rewards?limit=1", headers: [.authorization: "Bearer \(token)"])
        let wish = #"{"scope":{"from":"2025-01-01T00:00:00Z","to":"2025-01-02T00:00:00Z"}}"#
        let erasure = try await bench.send(wish, token: token, path: "/v1/me/erasures")
        let access = try await bench.send("", token: token, path: "/v1/me/data")
        return Victim(
            token: token, id: id, batch: try #require(receipt.json["batch_id"] as? String),
            cursor: try #require(page.json["next"] as? String),
            erasure: try #require(erasure.json["request_id"] as? String),
            access: try #require(access.json["request_id"] as? String))
    }

    /// What the victim sees of itself.
    private func view(_ bench: APIBench, _ victim: Victim) async throws -> [String] {
        var seen: [String] = []
        for path in ["/v1/me/consent", "/v1/me/rewards", "/v1/me/passkey"] {
            seen.append(try await bench.call(.get, path, headers: [.authorization: "Bearer \(victim.token)"]).text)
        }
        return seen
    }

    @Test func `every call with every foreign identifier gives away nothing and changes nothing`() async throws {
        let bench = try await APIBench(passkeys: PasskeyOrigin(text: "https://nkul.example"))
        let victim = try await victim(bench), before = try await view(bench, victim)
        var seen = 0
        for path in Set(DeviceOperation.all(.qoe).filter(\.route.isOfDevice).map(\.path)).sorted() {
            let attempts = try #require(Self.attempts(path, victim), "\(path) is not in the table")
            // Another one each time, for its own record of one call is known at the next.
            for attempt in attempts {
                let attacker = try await bench.enrol()
                let headers: HTTPFields = [
                    .authorization: "Bearer \(attacker)", .contentType: "application/json",
                    HTTPField.Name("Idempotency-Key")!: victim.key, HTTPField.Name("X-Device-Id")!: victim.id,
                    .cookie: "token=\(victim.token)",
                ]
                let answer = try await bench.call(
                    attempt.method, attempt.path, Array(attempt.body.utf8), headers: headers)
                #expect(attempt.statuses.contains(answer.status), "\(attempt.path): \(answer.status) \(answer.text)")
                let shown = victim.secrets.first { answer.text.contains($0) }
                #expect(shown == nil, "\(attempt.method) \(attempt.path) shows \(shown!)")
                // Another's record of the same name is another record.
                #expect(!answer.text.contains("\"status\":\"conflict\""), "\(attempt.path): \(answer.text)")
                seen += 1
            }
        }
        #expect(seen > 20)
        #expect(try await view(bench, victim) == before)
        // Its own repetition still finds its own receipt.
        let again = try await bench.send(
            #"{"id":"\#(victim.record)","captured_at_ms":\#(Reading.now),"latency_ms":5}"#, token: victim.token,
            headers: [HTTPField.Name("Idempotency-Key")!: victim.key])
        #expect(again.json["batch_id"] as? String == victim.batch && again.json["accepted"] as? Int == 1)
    }

    @Test func `another's record over a WebSocket is one's own record`() async throws {
        let bench = try await APIBench(), victim = try await victim(bench), attacker = try await bench.enrol()
        let query = "/v1/realtime?device=\(victim.id)&token=\(victim.token)"
        let answer = try await RawWebSocket.with(bench, attacker, path: query) { socket in
            try await socket.send(#"{"id":"\#(victim.record)","device":1,"captured_at_ms":\#(Reading.now)}"#)
            return try await socket.next()?.text ?? ""
        }
        #expect(answer.contains("\"accepted\":1") && !victim.secrets.contains { answer.contains($0) }, "\(answer)")
    }

    @Test func `without a token of its own a device reaches no call at all`() async throws {
        let bench = try await APIBench(), victim = try await victim(bench)
        let revoked = try await bench.enrol()
        let name = HTTPField.Name.authorization
        _ = try await bench.calls.revoke(["device": "2"])
        let attempts: [HTTPFields] = [
            [:], [name: "Bearer \(victim.id)"], [name: "Bearer 1"], [name: "Bearer \(revoked)"],
            [name: "Basic \(victim.token)"], [name: victim.token], [name: "Bearer \(victim.token.dropLast())"],
            [name: "Bearer \(victim.token)A"], [name: "Bearer \(victim.token.lowercased())"], [name: "Bearer"],
            [.cookie: "token=\(victim.token)"],
        ]
        for operation in DeviceOperation.all(.qoe) where operation.route.isOfDevice {
            for method in [operation.method] {
                for fields in attempts {
                    let path = operation.path.replacing("{request_id}", with: "1") + "?token=\(victim.token)"
                    let answer = try await bench.call(HTTPRequest.Method(method)!, path, headers: fields)
                    #expect(answer.status == 401, "\(method) \(path) with \(fields): \(answer.status)")
                    #expect(!victim.secrets.contains { answer.text.contains($0) })
                }
            }
        }
    }
}
