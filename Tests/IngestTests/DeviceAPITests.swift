import Foundation
import HTTPTypes
import IngestUploads
import Models
import Testing
import Wire

@testable import IngestCommit

@Suite struct DeviceAPITests {
    private let row = #"{"seq":1,"captured_at_ms":1760000000000}"#

    @Test func `an enrolled phone sends and gets its receipt`() async throws {
        let bench = try await APIBench()
        let token = try await bench.enrol()
        let answer = try await bench.send(row, token: token)
        #expect(answer.status == 200 && answer.json["accepted"] as? Int == 1)
        #expect(try await bench.send(row, token: token).body == answer.body)
        let all = try await bench.send("[\(row)]", token: token, path: "/v1/reports?receipts=all")
        #expect(all.items.map { $0["status"] as? String } == ["duplicate"])
        let feedback = try await bench.send(
            #"{"seq":2,"captured_at_ms":1760000000000,"emoji":"😕"}"#, token: token, path: "/v1/feedback")
        #expect(feedback.json["accepted"] as? Int == 1)
    }

    @Test func `tokens are not kept in the database`() async throws {
        let bench = try await APIBench()
        let one = try await bench.enrol(), two = try await bench.enrol()
        #expect(one != two && one.utf8.count == 43)
        // More devices than the cache has places: each is found again.
        for token in try await [one, two, bench.enrol(), bench.enrol(), bench.enrol(), bench.enrol(), one] {
            #expect(try await bench.send(row, token: token).status == 200)
        }
    }

    @Test func `sent at is read from header or query`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let old = #"{"seq":7,"captured_at_ms":1000}"#
        #expect(try await bench.send(old, token: token).items.first?["code"] as? String == "too_old")
        let name = HTTPField.Name("X-Nkul-Sent-At")!
        #expect(try await bench.send(old + " ", token: token, headers: [name: "2000"]).json["accepted"] as? Int == 1)
        let query = try await bench.send(
            old.replacing("7", with: "8"), token: token, path: "/v1/reports?receipts=all&sent_at_ms=2000")
        #expect(query.json["accepted"] as? Int == 1 && query.items.count == 1)
        let bad = try await bench.send(old, token: token, path: "/v1/reports?sent_at_ms=yesterday")
        #expect(bad.status == 400 && bad.json["field"] as? String == "sent_at_ms")
    }

    @Test func `gzip deflate CSV and lines are understood`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let authorization: HTTPFields = [.authorization: "bearer \(token)"]
        let zipped = try Deflater.deflate(Array(row.utf8), format: .gzip),
            deflated = try Deflater.deflate(Array(row.utf8), format: .zlib)
        func send(_ body: [UInt8], _ type: String, _ encoding: String) async throws -> Int {
            var headers = authorization
            headers[.contentType] = type
            headers[.contentEncoding] = encoding
            return try await bench.call(.post, "/v1/reports", body, headers: headers).status
        }
        #expect(try await send(zipped, "application/json; charset=utf-8", "gzip") == 200)
        #expect(try await send(deflated, "application/json", "deflate") == 200)
        #expect(try await send(Array("seq,captured_at_ms\r\n5,1760000000000\r\n".utf8), "text/csv", "identity") == 200)
        #expect(try await send(Array((row + "\n" + row).utf8), "application/x-ndjson", "identity") == 200)
        #expect(try await send(zipped, "application/json", "br") == 415)
        #expect(try await send(zipped.dropLast(), "application/json", "gzip") == 422)
        #expect(try await send(zipped, "image/png", "gzip") == 415)
    }

    @Test func `problems have stable codes`() async throws {
        let bench = try await APIBench(rowLimit: 2, bodyLimit: 500), token = try await bench.enrol()
        let unnamed = try await bench.call(.post, "/v1/reports", Array(row.utf8))
        #expect(unnamed.status == 401 && unnamed.headers[.wwwAuthenticate] == "Bearer")
        #expect(unnamed.headers[.contentType] == "application/problem+json")
        #expect(unnamed.json["type"] as? String == "urn:nkul:problem:unauthorized")
        #expect(unnamed.json["status"] as? Int == 401 && unnamed.json["title"] is String)
        #expect(try await bench.send(row, token: "x").code == "unauthorized")
        #expect(try await bench.send("", token: token).code == "empty_body")
        #expect(try await bench.send("[\(row),\(row),\(row)]", token: token).code == "too_many_rows")
        let long = try await bench.send(String(repeating: " ", count: 501), token: token)
        #expect(long.status == 413 && long.code == "body_too_large")
        let get = try await bench.call(.get, "/v1/reports")
        #expect(get.status == 405 && get.headers[.allow] == "POST")
        #expect(try await bench.call(.put, "/v1/me/payout").status == 401)
        #expect(try await bench.call(.get, "/v1/reportsx").code == "not_found")
        let key = HTTPField.Name("Idempotency-Key")!
        #expect(
            try await bench.send(row, token: token, headers: [key: String(repeating: "k", count: 256)]).code
                == "bad_idempotency_key")
    }

    @Test func `without measurement consent uploads are 403`() async throws {
        let bench = try await APIBench()
        let token = try await bench.enrol(
            APIBench.enrolment.replacing("\"measurement\":true", with: "\"measurement\":false"))
        let answer = try await bench.send(row, token: token)
        #expect(answer.status == 403 && answer.code == "no_measurement_consent")
    }

    @Test(arguments: [
        ("{}", "missing_field", nil), ("[]", "not_an_object", nil), ("{", "malformed", nil),
        (APIBench.enrolment.replacing(#""android""#, with: "1"), "wrong_type", "platform"),
        (APIBench.enrolment.replacing(#""1.0""#, with: #""""#), "out_of_range", "app_version"),
        (
            APIBench.enrolment.replacing(#"{"measurement":true"#, with: #"{"measurement":1"#), "wrong_type",
            "consent.measurement"
        ),
        (
            APIBench.enrolment.replacing(#"{"platform""#, with: #"{"age_band":"under_16","platform""#),
            "guardian_required", "guardian"
        ),
        (
            APIBench.enrolment.replacing(#"{"platform""#, with: #"{"age_band":"Under_16","platform""#), "out_of_range",
            "age_band"
        ),
        (
            APIBench.enrolment.replacing(#"{"platform""#, with: #"{"device_key":"AAAA","platform""#), "bad_format",
            "device_key"
        ),
        (
            APIBench.enrolment.replacing(#"{"platform""#, with: #"{"activation_code":"x","platform""#),
            "bad_format", "activation_code"
        ),
    ])
    func `enrolments that are wrong name the field`(body: String, code: String, field: String?) async throws {
        let answer = try await APIBench().call(.post, "/v1/devices", Array(body.utf8))
        #expect(answer.status == 422 && answer.code == code)
        if let field { #expect(answer.json["field"] as? String == field) }
    }

    @Test func `a full queue answers 503 with retry after and still takes urgent data`() async throws {
        let queue = CommitQueue(rowLimit: 3, byteLimit: 1_000_000)
        @Sendable func offer(_ upload: Upload) async -> DeviceAPIError? {
            let result: Result<Receipt, DeviceAPIError> = await withUnsafeContinuation { done in
                queue.offer(.upload(upload) { done.resume(returning: $0) })
            }
            if case .failure(let problem) = result { return problem }
            return nil
        }
        let four = try Reading.upload("[\(row),\(row),\(row),\(row)]"), one = try Reading.upload(row)
        let urgent = try Reading.upload(row.replacing("}", with: #","event":"emergency"}"#))
        // A first job always has room, however large it is.
        async let first = offer(four)
        while queue.depth < 4 { await Task.yield() }
        let refused = try #require(await offer(one))
        #expect(refused == .busy && refused.status == 503 && refused.retryAfter != nil)
        async let second = offer(urgent)
        while queue.depth < 5 { await Task.yield() }
        queue.close()
        #expect(await offer(one) == .stopping)
        let jobs = try #require(queue.take(linger: 10, idle: 10))
        #expect(jobs.count == 2 && queue.take(linger: 10, idle: 10) == nil)
        for job in jobs { job.fail(.failed) }
        #expect(await [first, second] == [.failed, .failed])
    }

    @Test func `uploads of many phones at once all count once`() async throws {
        let bench = try await APIBench()
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await bench.enrol() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for token in tokens {
                for batch in 0..<20 {
                    let rows = (0..<10).map { #"{"seq":\#((batch / 2) * 10 + $0 + 1),"captured_at_ms":1760000000000}"# }
                    group.addTask {
                        try await bench.send(
                            "[" + rows.joined(separator: ",") + "]" + String(repeating: " ", count: batch % 2),
                            token: token
                        )
                        .json["accepted"] as! Int
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(accepted == 20 * 100)
    }
}
