import Foundation
import NIOCore
import Testing

@testable import IngestEdge
@testable import IngestSupport

/// The device API's connections: what a phone, a careless client and an attacker may do with one.
@Suite struct EdgeTests {
    private static let row = #"{"seq":1,"captured_at_ms":1760000000000}"#

    private func request(_ token: String, _ body: String = EdgeTests.row, _ fields: String = "") -> String {
        """
        POST /v1/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n\
        \(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)
        """
    }

    /// Answers in a text of several.
    private func statuses(_ text: String) -> [Int] {
        text.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
    }

    @Test func `a connection serves one request after another`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let text = try await RawClient.with(port: bench.port) { client in
            for number in 1...3 {
                try await client.send(request(token))
                let answers = try await client.receive { $0.hasSuffix("}") }
                #expect(statuses(answers) == [200], "request \(number)")
            }
            try await client.send(request(token, EdgeTests.row, "Connection: close\r\n"))
            return try await client.receive()
        }
        #expect(statuses(text) == [200] && text.contains("connection: close"))
    }

    @Test func `requests that are sent ahead are answered in their order`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let ahead = (1...20).map { number in
            number % 2 == 1 ? request(token, #"{"seq":\#(number),"captured_at_ms":1760000000000}"#) : request("nobody")
        }
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(ahead.joined())
            try await client.send(request(token, EdgeTests.row, "Connection: close\r\n"))
            return try await client.receive()
        }
        #expect(statuses(text) == (1...20).map { $0 % 2 == 1 ? 200 : 401 } + [200])
    }

    @Test func `a body may come in pieces of any size`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let text = try await RawClient.with(port: bench.port) { client in
            for byte in request(token, EdgeTests.row, "Connection: close\r\n").utf8 { try await client.send([byte]) }
            return try await client.receive()
        }
        #expect(statuses(text) == [200])
    }

    @Test func `chunked bodies are taken up to the limit`() async throws {
        let bench = try await APIBench(bodyLimit: 500), token = try await bench.enrol()
        let head =
            "POST /v1/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nTransfer-Encoding: chunked\r\n"
        let size = String(EdgeTests.row.utf8.count, radix: 16)
        let good = try await RawClient.with(port: bench.port) { client in
            try await client.send(head + "Connection: close\r\n\r\n\(size)\r\n\(EdgeTests.row)\r\n0\r\n\r\n")
            return try await client.receive()
        }
        #expect(statuses(good) == [200])
        let endless = try await RawClient.with(port: bench.port) { client in
            try await client.send(head + "\r\n")
            for _ in 0..<6 { try await client.send("64\r\n" + String(repeating: " ", count: 100) + "\r\n") }
            return try await client.receive()
        }
        #expect(statuses(endless) == [413] && endless.contains("connection: close"))
    }

    @Test func `a strangers large body is refused before it has come`() async throws {
        let bench = try await APIBench()
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(
                "POST /v1/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\nContent-Length: 900000\r\n\r\n"
            )
            return try await client.receive()
        }
        #expect(statuses(text) == [401])
        #expect(bench.budget.bytes == 0)
    }

    @Test func `who waits for it is told to send`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let whole = request(token, EdgeTests.row, "Expect: 100-continue\r\nConnection: close\r\n")
        let end = whole.range(of: "\r\n\r\n")!.upperBound
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(String(whole[..<end]))
            #expect(try await client.receive { $0.hasSuffix("\r\n\r\n") }.hasPrefix("HTTP/1.1 100 "))
            try await client.send(String(whole[end...]))
            return try await client.receive()
        }
        #expect(statuses(text) == [200])
    }

    @Test(arguments: [
        (String(repeating: "X-A: 1\r\n", count: 70), 431),
        ("X-A: " + String(repeating: "a", count: 20_000) + "\r\n", 431),
        ("X-A: " + String(repeating: "a", count: 200_000) + "\r\n", 431),
    ])
    func `floods of header fields are refused`(fields: String, status: Int) async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(request(token, EdgeTests.row, fields + "Connection: close\r\n"))
            return try await client.receive()
        }
        #expect(statuses(text).first == status)
    }

    @Test(arguments: [
        "hello\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}",
        "POST /v1/reports HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /v1/reports HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /v1/reports HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func `what is not HTTPIs answered with a problem and closed`(text: String) async throws {
        let bench = try await APIBench()
        let answer = try await RawClient.with(port: bench.port) { client in
            try await client.send(text)
            return try await client.receive()
        }
        #expect([400, 401, 501].contains(statuses(answer).first) && answer.contains("application/problem+json"))
    }

    @Test func `garbage behind a request does not cost its answer`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(request(token) + "this is not HTTP\r\n\r\n")
            return try await client.receive()
        }
        #expect(statuses(text) == [200])
    }

    @Test func `who is too slow is told so and who is idle is closed`() async throws {
        var limits = EdgeLimits()
        limits.headTime = .milliseconds(100)
        limits.bodyTime = .milliseconds(100)
        let bench = try await APIBench(limits: limits)
        let whole = "POST /v1/devices HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
        for part in [20, whole.utf8.count] {
            let text = try await RawClient.with(port: bench.port) { client in
                try await client.send(String(whole.prefix(part)))
                return try await client.receive()
            }
            #expect(statuses(text) == [408], "after \(part) bytes")
        }
        #expect(bench.budget.bytes == 0)
        limits.idleTime = .milliseconds(100)
        let impatient = try await APIBench(limits: limits)
        #expect(try await RawClient.with(port: impatient.port) { try await $0.receive() } == "")
    }

    @Test func `a phone that has finished sending still gets its answer`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(request(token))
            client.finish()
            return try await client.receive()
        }
        #expect(statuses(text) == [200])
    }

    /// Thirty megabytes of answers, of which the socket takes some and the service keeps one.
    @Test func `who reads late gets every answer in its order`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        // Long, so that the socket does not give the service more of them at once than it keeps.
        let document = "GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-A: \(String(repeating: "a", count: 8_000))\r\n\r\n"
        let text = try await RawClient.with(port: bench.port) { client in
            let last = request("nobody") + request(token, EdgeTests.row, "Connection: close\r\n")
            try await client.send(String(repeating: document, count: 400) + last)
            return try await client.receive()
        }
        #expect(text.utf8.count > 30_000_000, "\(text.utf8.count) bytes")
        #expect(statuses(text) == [Int](repeating: 200, count: 400) + [401, 200])
    }

    /// Of a request has come its head and its end: with four parts a request twice as many as are promised fit.
    @Test(arguments: [false, true])
    func `of what is sent ahead some is kept and then the connection ends`(isCutOff: Bool) async throws {
        var limits = EdgeLimits()
        limits.requestsAhead = 10
        let bench = try await APIBench(limits: limits)
        let first = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n", bad = "GET / HTTP/1.1\r\n\r\n"
        let chunks =
            "POST /v1/devices HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(repeating: "1\r\n{\r\n", count: 100) + "0\r\n\r\n"
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(first + (isCutOff ? bad + chunks : String(repeating: bad, count: 2_000)))
            return try await client.receive()
        }
        #expect(statuses(text) == [200] + [Int](repeating: 400, count: isCutOff ? 1 : 20))
        #expect(bench.budget.bytes == 0)
    }

    @Test(arguments: [
        "A: " + String(repeating: "a", count: 40_000), String(repeating: "A: aaaaaaaa\r\n", count: 70),
        (1...8).map { "A\($0): " + String(repeating: "a", count: 5_000) + "\r\n" }.joined(),
    ])
    func `a head without end is refused before its time is over`(fields: String) async throws {
        let bench = try await APIBench()
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send("GET /openapi.json HTTP/1.1\r\nHost: x\r\n" + fields)
            return try await client.receive()
        }
        #expect(statuses(text) == [431])
    }

    @Test(arguments: ["", "this is not HTTP\r\n\r\n"])
    func `what was sent ahead of the end is answered`(end: String) async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(request(token) + request("nobody") + request(token) + end)
            client.finish()
            return try await client.receive()
        }
        #expect(statuses(text) == [200, 401, 200])
    }

    @Test func `more connections than allowed are closed and counted`() async throws {
        var limits = EdgeLimits()
        limits.connections = 2
        let bench = try await APIBench(limits: limits)
        try await RawClient.with(port: bench.port) { first in
            try await first.send("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(statuses(try await first.receive { $0.hasSuffix("}") }) == [404])
            try await RawClient.with(port: bench.port) { second in
                try await second.send("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(statuses(try await second.receive { $0.hasSuffix("}") }) == [404])
                #expect(try await RawClient.with(port: bench.port) { try await $0.receive() } == "")
            }
        }
    }
}
