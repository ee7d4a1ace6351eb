import Channels
import Models
import NIOCore
import NIOHTTP1
import NIOPosix
import NotifierMessages
import NotifierSending
import Synchronization
import Testing

/// Posting to servers on loopback, which the policy of these tests allows.
@Suite struct PosterTests {
    /// A resolver whose answers are given.
    private final class Names: TargetResolver {
        let answers: Mutex<[[String]]>
        let asked = Atomic(0)

        init(_ answers: [[String]]) { self.answers = Mutex(answers) }

        func addresses(of host: String) async throws -> [IPAddress] {
            asked.add(1, ordering: .relaxed)
            return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.map { IPAddress(text: $0)! }
        }
    }

    private static let loopback = AddressPolicy(allowing: [IPNetwork(text: "127.0.0.0/8")!])

    private func post(
        _ url: String, _ names: Names, _ policy: AddressPolicy = loopback, headers: [(name: String, value: String)] = []
    ) async throws -> SendAnswer {
        // The URL is that of a name, so that only what it stands for decides.
        let message = HTTPMessage(url: try TargetURL(url, policy), headers: headers, body: Array("{}".utf8))
        return await HTTPPoster(names, policy, timeout: .seconds(5), clock: { 0 }).post(message, attempts: 0)
    }

    @Test func `a name is looked up at each try, and what it stands for is checked each time`() async throws {
        let server = try await AnsweringServer { _ in (.ok, [:]) }
        let names = Names([["127.0.0.1"], ["10.0.0.1"]])
        let url = "http://hooks.example.org:\(server.port)/x"
        #expect(try await post(url, names) == .delivered)
        let second = try await post(url, names)
        #expect(second == .failed("hooks.example.org stands for 10.0.0.1, a private network, which is not allowed"))
        #expect(
            server.requests == ["POST /x hooks.example.org:\(server.port)"] && names.asked.load(ordering: .relaxed) == 2
        )
        try await server.stop()
    }

    @Test func `a name that also stands for an inner address is not called at all`() async throws {
        let names = Names([["93.184.215.14", "169.254.169.254"]])
        let answer = try await post("http://hooks.example.org/x", names, AddressPolicy())
        #expect(
            answer
                == .failed("hooks.example.org stands for 169.254.169.254, a link-local address, which is not allowed"))
    }

    @Test func `a redirect is not followed`() async throws {
        let inner = try await AnsweringServer { _ in (.ok, [:]) }
        let server = try await AnsweringServer { _ in (.found, ["Location": "http://127.0.0.1:\(inner.port)/secret"]) }
        let answer = try await post("http://hooks.example.org:\(server.port)/", Names([["127.0.0.1"]]))
        #expect(answer == .failed("answered 302: redirects are not followed"))
        #expect(inner.requests.isEmpty)
        try await server.stop()
        try await inner.stop()
    }

    @Test func `a busy server says when to come back, and a push service that there is nobody`() async throws {
        let server = try await AnsweringServer { request in
            request.uri == "/busy" ? (.tooManyRequests, ["Retry-After": "7"]) : (.gone, [:])
        }
        let names = Names([["127.0.0.1"]]), base = "http://hooks.example.org:\(server.port)"
        #expect(try await post("\(base)/busy", names) == .failed("answered 429", retryAfter: 7_000))
        #expect(try await post("\(base)/gone", names) == .failed("answered 410"))
        #expect(try await post("\(base)/gone", names, headers: [(name: "TTL", value: "1")]) == .gone("answered 410"))
        try await server.stop()
    }

    @Test func `a server that never answers holds up nobody for longer than the time of a call`() async throws {
        let server = try await AnsweringServer { _ in nil }
        let message = HTTPMessage(
            url: try TargetURL("http://hooks.example.org:\(server.port)/", Self.loopback), headers: [], body: [])
        let poster = HTTPPoster(Names([["127.0.0.1"]]), Self.loopback, timeout: .milliseconds(200), clock: { 0 })
        guard case .failed(let reason, _) = await poster.post(message, attempts: 0) else {
            Issue.record("it was delivered")
            return
        }
        #expect(reason.hasPrefix("no answer"))
        try await server.stop()
    }
}
