import Testing
import SocketTesting
import TemporaryFiles
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct RoundTripTests {
    @Test(arguments: [0, 1, 4_095, 4_096, 1 << 20])
    func `frames of every size come back as sent, over ipc`(size: Int) async throws {
        let directory = try TemporaryDirectory()
        try await roundTrip(size: size, server: .local, client: .local, endpoint: "ipc://\(directory.path)/socket")
    }

    @Test(arguments: [0, 1, 4_095, 4_096, 1 << 20])
    func `frames of every size come back as sent, over tcp with CURVE`(size: Int) async throws {
        let server = try CurveKeyPair.generate()
        let client = try CurveKeyPair.generate()
        try await roundTrip(
            size: size, server: .curveServer(secretKey: server.secretKey, domain: "lane"),
            client: .curveClient(keys: client, serverKey: server.publicKey), endpoint: "tcp://127.0.0.1:*",
            admitting: client.publicKey)
    }

    private func roundTrip(
        size: Int, server: SocketSecurity, client: SocketSecurity, endpoint: String, admitting key: String? = nil
    ) async throws {
        let fixture = try Fixture()
        let (requests, replies) = (Inbox<[Frame]>(), Inbox<[Frame]>())
        if let key { try fixture.thread.call { try ZAPHandler(loop: $0).admit(key, domain: "lane") } }
        let router = try fixture.listen(.router, SocketOptions(security: server), at: endpoint, into: requests)
        let dealer = try fixture.dial(client, to: router.endpoint, into: replies)
        let body = Frame((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try fixture.send([[7], body], on: dealer)
        let request = try await requests.wait(for: 1)[0]
        #expect(Array(request.dropFirst()) == [[7], body])
        try fixture.send(request, on: router)
        #expect(try await replies.wait(for: 1)[0] == [[7], body])
    }

    @Test
    func `a SUB receives the topics of its prefixes only`() async throws {
        let directory = try TemporaryDirectory()
        let fixture = try Fixture()
        let inbox = Inbox<[Frame]>()
        let endpoint = "ipc://\(directory.path)/socket"
        let subscriptions = Inbox<[Frame]>()
        let publisher = try fixture.listen(.xpub, SocketOptions(), at: endpoint, into: subscriptions)
        try fixture.thread.call { loop in
            var options = SocketOptions()
            options.subscriptions = [Frame("a/1".utf8)]
            let handle = try loop.open(.sub, options: options, connect: endpoint)
            loop.onReceive(handle) { inbox.put($0) }
        }
        #expect(try await subscriptions.wait(for: 1)[0] == [[1] + Frame("a/1".utf8)])
        for topic in ["a/2", "b/1", "a/10"] { try fixture.send([Frame(topic.utf8)], on: publisher) }
        #expect(try await inbox.wait(for: 1) == [[Frame("a/10".utf8)]])
    }

    @Test
    func `a socket alone waits for a message as long as it is told, and no longer than it must`() throws {
        let directory = try TemporaryDirectory()
        let context = try Context()
        let puller = try Socket(.pull, options: SocketOptions(), context: context)
        try puller.bind("ipc://\(directory.path)/socket")
        let start = ContinuousClock.now
        #expect(try puller.receive(within: .milliseconds(30)) == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(30))
        let pusher = try Socket(.push, options: SocketOptions(), context: context)
        try pusher.connect(puller.endpoint)
        while try !pusher.send([[1], [2, 3]]) {}
        let sent = ContinuousClock.now
        #expect(try puller.receive(within: .seconds(50)) == [[1], [2, 3]])
        #expect(ContinuousClock.now - sent < .seconds(50))
        #expect(try puller.receive(within: .zero) == nil)
    }

    @Test
    func `one busy socket does not starve another`() async throws {
        let directory = try TemporaryDirectory()
        let fixture = try Fixture()
        let (busy, quiet, order) = (Inbox<[Frame]>(), Inbox<[Frame]>(), Inbox<String>())
        let first = try fixture.listen(.pull, SocketOptions(), at: "ipc://\(directory.path)/1", into: busy)
        let second = try fixture.listen(.pull, SocketOptions(), at: "ipc://\(directory.path)/2", into: quiet)
        try fixture.thread.call { loop in
            // Ten turns' worth is waiting before the first turn is over, since this body holds the thread.
            let one = try loop.open(.push, connect: first.endpoint)
            let two = try loop.open(.push, connect: second.endpoint)
            loop.onReceive(first) { _ in order.put("busy") }
            loop.onReceive(second) { _ in order.put("quiet") }
            while try !loop.send([[0]], on: two) {}
            for _ in 0..<640 { while try !loop.send([[0]], on: one) {} }
        }
        let events = try await order.wait(for: 641)
        let place = try #require(events.firstIndex(of: "quiet"))
        #expect(place < 640)
    }
}
