import Foundation
import HTTPTypes
import IngestSupport
import Models
import Testing
import Wire

@testable import IngestEdge

/// What HTTP asks of any server (RFC 9110, 9112), shown on the device API.
@Suite struct HTTPSemanticsTests {
    private static let row = #"{"seq":1,"captured_at_ms":1760000000000}"#

    private func raw(_ bench: APIBench, _ head: String) async throws -> RawAnswer {
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(head + "Connection: close\r\n\r\n")
            return try await client.receive()
        }
        return try #require(RawAnswer(text), "\(text)")
    }

    @Test func `where there is GET there is HEAD without a body`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
        for path in ["/openapi.json", "/v1/me/consent", "/v1/me/rewards", "/v1/me/rewards?limit=0", "/v1/me/data/5f0c"]
        {
            let get = try await bench.call(.get, path, headers: bearer)
            let head = try await bench.call(.head, path, headers: bearer)
            #expect(head.status == get.status && head.body.isEmpty && !get.body.isEmpty, "\(path)")
            #expect(head.headers[.contentLength] == String(get.body.count), "\(path)")
            #expect(head.headers[.contentType] == get.headers[.contentType])
        }
        #expect(try await bench.call(.head, "/v1/reports", headers: bearer).headers[.allow] == "POST")
        let unnamed = try await bench.call(.head, "/v1/me/consent")
        #expect(unnamed.status == 401 && unnamed.body.isEmpty)
    }

    @Test(arguments: ["OPTIONS", "TRACE", "DELETE", "PATCH"])
    func `a method that a path does not have is told which it has`(method: String) async throws {
        let bench = try await APIBench()
        let answer = try await bench.call(HTTPRequest.Method(method)!, "/v1/me/consent")
        #expect(answer.status == 405 && answer.headers[.allow] == "GET, HEAD, PUT")
        #expect(try await bench.call(HTTPRequest.Method(method)!, "/nothing").status == 404)
    }

    @Test func `a method that nobody knows is not implemented`() async throws {
        let answer = try await raw(try await APIBench(), "NKUL /v1/reports HTTP/1.1\r\nHost: x\r\n")
        #expect(answer.status == 501 && answer.body.contains("unknown_method"))
    }

    @Test func `every answer has a date`() async throws {
        let bench = try await APIBench()
        for path in ["/openapi.json", "/nothing"] {
            let text = try #require(try await bench.call(.get, path).headers[.date])
            let possible = (0...60).map { HTTPDate.text(.now - Double($0)) }
            #expect(possible.contains(text))
        }
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func `what is about a device is not kept by anybody`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
        let enrolled = try await bench.call(.post, "/v1/devices", Array(APIBench.enrolment.utf8))
        #expect(enrolled.status == 201 && enrolled.headers[.cacheControl] == "no-store")
        for path in ["/v1/me/consent", "/v1/me/rewards", "/v1/me/rewards?limit=x", "/nothing"] {
            #expect(try await bench.call(.get, path, headers: bearer).headers[.cacheControl] == "no-store", "\(path)")
        }
    }

    @Test func `a request names one host`() async throws {
        let bench = try await APIBench()
        #expect(try await raw(bench, "GET /openapi.json HTTP/1.1\r\n").status == 400)
        #expect(try await raw(bench, "GET /openapi.json HTTP/1.1\r\nHost: a\r\nhost: b\r\n").status == 400)
        #expect(try await raw(bench, "GET /openapi.json HTTP/1.0\r\n").status == 200)
    }

    @Test func `a target may be written with its host and may not be endless`() async throws {
        let bench = try await APIBench()
        #expect(try await raw(bench, "GET http://x:8080/openapi.json?a=b HTTP/1.1\r\nHost: x\r\n").status == 200)
        #expect(try await raw(bench, "GET http://x HTTP/1.1\r\nHost: x\r\n").status == 404)
        let long = String(repeating: "a", count: 9_000)
        #expect(try await raw(bench, "GET /openapi.json?\(long) HTTP/1.1\r\nHost: x\r\n").status == 414)
    }

    @Test(arguments: [
        ("gzip, identity", 200), ("identity,gzip", 200), ("X-GZIP", 200), ("gzip, gzip", 415), ("br, gzip", 415),
    ])
    func `codings are a list`(coding: String, status: Int) async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let zipped = try Deflater.deflate(Array(Self.row.utf8), format: .gzip)
        let answer = try await bench.call(
            .post, "/v1/reports", zipped,
            headers: [.authorization: "Bearer \(token)", .contentType: "application/json", .contentEncoding: coding])
        #expect(answer.status == status, "\(answer.text)")
        if status == 415 { #expect(answer.headers[.acceptEncoding] == "gzip, deflate") }
    }

    @Test(arguments: [
        ("application/json; charset=iso-8859-1", 200), ("Application/JSON;charset=\"UTF-8\"", 200),
        ("application/x-ndjson", 200), ("application/xml", 415), ("", 415), ("json", 415),
    ])
    func `types are compared without their parameters`(type: String, status: Int) async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let answer = try await bench.send(Self.row, token: token, headers: [.contentType: type])
        #expect(answer.status == status, "\(answer.text)")
        if status == 415 { #expect(answer.headers[.accept]?.contains("application/x-ndjson") == true) }
    }

    @Test func `a CSV in another charset is not misread`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let csv = "seq,captured_at_ms\r\n5,1760000000000\r\n"
        func status(_ type: String) async throws -> Int {
            try await bench.send(csv, token: token, headers: [.contentType: type]).status
        }
        #expect(try await status("text/csv; charset=ISO-8859-1") == 415)
        #expect(try await status("text/csv; header=present; charset=UTF-8") == 200)
    }

    @Test func `calls that take JSON take nothing else`() async throws {
        let bench = try await APIBench()
        func call(_ type: String, _ coding: String? = nil) async throws -> APIBench.Answer {
            var headers: HTTPFields = [.contentType: type]
            headers[.contentEncoding] = coding
            return try await bench.call(.post, "/v1/devices", Array(APIBench.enrolment.utf8), headers: headers)
        }
        #expect(try await call("application/json").status == 201)
        let lines = try await call("application/x-ndjson")
        #expect(lines.status == 415 && lines.headers[.accept] == "application/json")
        let zipped = try await call("application/json", "gzip")
        #expect(zipped.code == "unsupported_encoding" && zipped.headers[.acceptEncoding] == "identity")
    }

    @Test func `parameters are decoded and checked`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        func status(_ query: String) async throws -> Int {
            try await bench.send(Self.row, token: token, path: "/v1/reports?" + query).status
        }
        #expect(try await status("receipts=%61ll") == 200)
        for wrong in ["receipts=some", "receipts=", "receipts=%ff", "sent_at_ms=%20"] {
            #expect(try await status(wrong) == 400, "\(wrong)")
        }
        let name = HTTPField.Name("X-Nkul-Sent-At")!
        let both = try await bench.send(
            Self.row, token: token, path: "/v1/reports?sent_at_ms=x", headers: [name: "1760000000000"])
        #expect(both.status == 400 && both.json["field"] as? String == "sent_at_ms")
    }

    @Test func `who waits with a body that is not wanted is told at once`() async throws {
        let bench = try await APIBench()
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(
                "POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
            return try await client.receive()
        }
        #expect(RawAnswer(text)?.status == 401 && text.contains("connection: close"), "\(text)")
    }

    @Test func `who leaves while it is looked up harms nobody`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        for number in 0..<200 {
            try await RawClient.with(port: bench.port) { client in
                try await client.send(
                    "POST /v1/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\(number)\r\n"
                        + "Content-Length: 10\r\n\r\n")
            }
        }
        #expect(try await bench.send(Self.row, token: token).status == 200)
        #expect(bench.budget.bytes == 0)
    }

    @Test func `a chunked body may have trailers`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let size = String(Self.row.utf8.count, radix: 16)
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(
                """
                POST /v1/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nTransfer-Encoding: chunked\r\n\
                Connection: close\r\n\r\n\(size);note=x\r\n\(Self.row)\r\n0\r\nX-Sum: 1\r\n\r\n
                """)
            return try await client.receive()
        }
        #expect(RawAnswer(text)?.status == 200, "\(text)")
    }
}
