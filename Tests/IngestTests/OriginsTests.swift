import HTTPTypes
import IngestSupport
import Testing

@testable import IngestAPI

/// Web pages of other servers: nothing of the device API is for them unless their origin is named.
@Suite(.timeLimit(.minutes(1))) struct OriginsTests {
    private static let page = "https://app.example"
    private static let allow = HTTPField.Name("access-control-allow-origin")!
    private static let vary = HTTPField.Name("vary")!

    private func origins(_ text: String = "https://app.example, http://localhost:3000") -> AllowedOrigins {
        AllowedOrigins(text: text)!
    }

    @Test(arguments: [
        ("", true), ("https://a.example", true), ("https://a.example, http://b.example:8080 ,https://[::1]:9", true),
        ("*", false), ("null", false), ("a.example", false), ("https://", false), ("https://a.example/", false),
        ("https://a.example:0", false), ("https://a.example:x", false), ("ftp://a.example", false),
        ("https://a.example;https://b.example", false), ("https://a.example,", true),
    ])
    func `origins are read, and nothing that is none passes for one`(text: String, isRight: Bool) {
        #expect((AllowedOrigins(text: text) != nil) == isRight)
    }

    @Test func `a page that is named may ask and see the answer, any other may not`() async throws {
        let bench = try await APIBench(origins: origins())
        let asking: HTTPFields = [
            HTTPField.Name("Origin")!: Self.page, HTTPField.Name("Access-Control-Request-Method")!: "POST",
            HTTPField.Name("Access-Control-Request-Headers")!: "authorization, content-type",
        ]
        let told = try await bench.raw("OPTIONS", "/v1/feedback", headers: asking)
        #expect(told.status == 204 && told.headers[Self.allow] == Self.page && told.body.isEmpty)
        #expect(told.headers[HTTPField.Name("access-control-allow-methods")!] == "POST")
        let fields = told.headers[HTTPField.Name("access-control-allow-headers")!] ?? ""
        #expect(["authorization", "content-type", "x-nkul-sent-at", "signature"].allSatisfy(fields.contains))
        for (origin, allowed) in [(Self.page, Self.page), ("https://evil.example", nil), ("null", nil)] {
            let answer = try await bench.call(
                .post, "/v1/devices", Array(APIBench.enrolment.utf8),
                headers: [.contentType: "application/json", HTTPField.Name("Origin")!: origin])
            #expect(answer.status == 201 && answer.headers[Self.allow] == allowed, "\(origin)")
            #expect(answer.headers[Self.vary] == "origin")
            let refused = try await bench.call(.get, "/v1/me/consent", headers: [HTTPField.Name("Origin")!: origin])
            #expect(refused.status == 401 && refused.headers[Self.allow] == allowed)
        }
        let other = try await bench.raw(
            "OPTIONS", "/v1/feedback", headers: [HTTPField.Name("Origin")!: "https://evil.example"])
        #expect(other.status == 405 && other.headers[Self.allow] == nil)
        let nowhere = try await bench.raw("OPTIONS", "/nothing", headers: asking)
        #expect(nowhere.status == 404)
    }

    @Test func `without a setting nothing is said to pages`() async throws {
        let bench = try await APIBench()
        let headers: HTTPFields = [HTTPField.Name("Origin")!: Self.page]
        let asked = try await bench.raw("OPTIONS", "/v1/feedback", headers: headers)
        #expect(asked.status == 405 && asked.headers[Self.allow] == nil)
        let answer = try await bench.call(.get, "/openapi.json", headers: headers)
        #expect(answer.headers[Self.allow] == nil && answer.headers[Self.vary] == nil)
    }

    @Test func `a connection goes on after a preflight request`() async throws {
        let bench = try await APIBench(origins: origins())
        let text = try await RawClient.with(port: bench.port) { client in
            let one = "OPTIONS /v1/feedback HTTP/1.1\r\nHost: x\r\nOrigin: \(Self.page)\r\n\r\n"
            try await client.send(Array((one + "GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").utf8))
            return try await client.receive()
        }
        #expect(text.hasPrefix("HTTP/1.1 204 ") && text.contains("HTTP/1.1 404 "))
    }

    /// Opens a WebSocket with its token among the subprotocols and returns the head of the answer.
    private func open(_ bench: APIBench, _ protocols: String, origin: String?) async throws -> String {
        try await RawClient.with(port: bench.port) { client in
            let field = origin.map { "Origin: \($0)\r\n" } ?? ""
            try await client.send(
                Array(
                    """
                    GET /v1/realtime HTTP/1.1\r\nHost: nkul.example:8080\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                    Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                    Sec-WebSocket-Protocol: \(protocols)\r\n\(field)\r\n
                    """.utf8))
            return String(decoding: try await client.next() ?? [], as: UTF8.self)
        }
    }

    @Test func `a WebSocket takes its token from the subprotocols, and never says it back`() async throws {
        let bench = try await APIBench(origins: origins()), token = try await bench.enrol()
        for origin in [nil, Self.page, "http://nkul.example:8080", "http://localhost:3000"] {
            let answer = try await open(bench, "nkul.v1, nkul.token.\(token)", origin: origin)
            #expect(answer.hasPrefix("HTTP/1.1 101 ") && answer.contains("sec-websocket-protocol: nkul.v1\r\n"))
            #expect(!answer.contains(token))
        }
        let foreign = try await open(bench, "nkul.v1, nkul.token.\(token)", origin: "https://evil.example")
        #expect(foreign.hasPrefix("HTTP/1.1 403 ") && foreign.contains("origin_not_allowed"))
        let unnamed = try await open(bench, "nkul.token.\(token)", origin: nil)
        #expect(unnamed.hasPrefix("HTTP/1.1 400 ") && unnamed.contains("bad_upgrade"))
        for wrong in ["nkul.v1, nkul.token.", "nkul.v1, nkul.token.nobody", "nkul.v1"] {
            #expect(try await open(bench, wrong, origin: nil).hasPrefix("HTTP/1.1 401 "), "\(wrong)")
        }
    }

    @Test func `only the opening of a WebSocket may say its token so`() async throws {
        let bench = try await APIBench(origins: origins()), token = try await bench.enrol()
        let answer = try await bench.call(
            .get, "/v1/me/consent",
            headers: [HTTPField.Name("Sec-WebSocket-Protocol")!: "nkul.v1, nkul.token.\(token)"])
        #expect(answer.status == 401)
    }
}
