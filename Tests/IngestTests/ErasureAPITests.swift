import Foundation
import HTTPTypes
import Models
import SubjectRights
import Testing
@testable import IngestSupport

@Suite struct ErasureAPITests {
    private func erase(_ bench: APIBench, _ token: String, _ scope: String = #"{"all":true}"#) async throws
        -> APIBench.Answer
    {
        try await bench.send(#"{"scope":\#(scope)}"#, token: token, path: "/v1/me/erasures")
    }

    private func standing(_ bench: APIBench, _ token: String, _ request: String) async throws -> APIBench.Answer {
        try await bench.call(.get, "/v1/me/erasures/\(request)", headers: [.authorization: "Bearer \(token)"])
    }

    @Test func `an erased device's token reads how its erasure stands and nothing else`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(), other = try await bench.enrol()
        #expect(try await bench.send(#"{"seq":1,"latency_ms":20}"#, token: token).status == 200)
        let taken = try await erase(bench, token)
        #expect(taken.status == 202 && taken.json["state"] as? String == "pending")
        let request = try #require(taken.json["request_id"] as? String)
        #expect(taken.headers[.location] == "/v1/me/erasures/\(request)")
        #expect(taken.json["expected_completion_time_ms"] as? Int == Int(Reading.now) + 30 * 86_400_000)
        for path in ["/v1/reports", "/v1/me/erasures"] {
            let refused = try await bench.send(#"{"seq":2,"latency_ms":20}"#, token: token, path: path)
            #expect(refused.status == 410 && refused.code == "device_erased")
            #expect(refused.json["request_id"] as? String == request)
        }
        let consent = try await bench.call(.get, "/v1/me/consent", headers: [.authorization: "Bearer \(token)"])
        #expect(consent.status == 410)
        let status = try await standing(bench, token, request)
        #expect(status.status == 200 && status.json["state"] as? String == "pending")
        #expect(try await standing(bench, token, "another").status == 410)
        #expect(try await standing(bench, other, request).status == 404)
        #expect(try await bench.send(#"{"seq":1,"latency_ms":20}"#, token: other).status == 200)
    }

    @Test func `what the privacy worker says of it is told with the receipts`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let request = try #require(try await erase(bench, token).json["request_id"] as? String)
        let subject = ErasureSubjectDocument(request: request, subject: "ab", scope: .everything, barriers: [])
        let receipt = ErasureReceiptDocument(
            request: request, subject: "ab", service: "ingest", barriers: [], removed: 3, signedAt: 5, keyID: "k")
        let order = ErasureOrderDocument(
            ErasureRequestDocument(subject: subject, requestedAt: 1, dueAt: 2, source: .device), state: .completed,
            completedAt: 9, receipts: [receipt])
        try bench.copies.take(
            bench.copies.block(
                .privacy, .erasureOrder,
                [CopiesBench.Record(key: request, document: Array(try JSONEncoder().encode(order)))]))
        let status = try await standing(bench, token, request)
        #expect(status.json["state"] as? String == "completed" && status.json["completed_at_ms"] as? Int == 9)
        let receipts = try #require(status.json["receipts"] as? [[String: Any]])
        #expect(receipts.map { $0["service"] as? String } == ["ingest"])
    }

    @Test func `a part leaves the device, and its requests are its own`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(), other = try await bench.enrol()
        let taken = try await erase(bench, token, #"{"from":"2025-10-01T00:00:00Z","to":"2025-10-02T00:00:00Z"}"#)
        #expect(taken.status == 202)
        let request = try #require(taken.json["request_id"] as? String)
        #expect(try await standing(bench, token, request).status == 200)
        #expect(try await standing(bench, other, request).status == 404)
        #expect(try await bench.send(#"{"seq":1,"latency_ms":20}"#, token: token).status == 200)
    }

    @Test(arguments: [
        (#"{}"#, "scope"), (#"{"all":false}"#, "scope"), (#"{"all":true,"from":"2025-10-01T00:00:00Z"}"#, "scope"),
        (#"{"from":"yesterday"}"#, "scope.from"),
        (#"{"from":"2025-10-02T00:00:00Z","to":"2025-10-01T00:00:00Z"}"#, "scope.from"),
        (#"{"polygon":[[1,2],[3,4]]}"#, "scope.polygon"), (#"{"polygon":[[1,2],[3,4],[200,4]]}"#, "scope.polygon"),
        (#"{"polygon":"here"}"#, "scope.polygon"), (#""all""#, "scope"),
    ]) func `a scope that is none is refused by name`(scope: String, field: String) async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let refused = try await erase(bench, token, scope)
        #expect(refused.status == 422)
        #expect((refused.json["field"] as? String)?.hasPrefix(field) == true)
    }

    @Test func `public keys are there for everybody`() async throws {
        let bench = try await APIBench()
        #expect(try await bench.call(.get, "/.well-known/nkul-keys.json").text == #"{"keys":[]}"#)
        let key = ReceiptKey(secret: [UInt8](1...32), service: "alert-router").document(since: 4)
        try bench.copies.take(
            bench.copies.block(
                .privacy, .verificationKey,
                [CopiesBench.Record(key: key.keyID, document: Array(try JSONEncoder().encode(key)))]))
        let answer = try await bench.call(.get, "/.well-known/nkul-keys.json")
        let keys = try #require(answer.json["keys"] as? [[String: Any]])
        #expect(keys.map { $0["service"] as? String } == ["alert-router"])
    }
}
