import Testing
import SocketTesting
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct CurveTests {
    let server: CurveKeyPair
    let known: CurveKeyPair
    let stranger: CurveKeyPair

    init() throws {
        server = try .generate()
        known = try .generate()
        stranger = try .generate()
    }

    private func options() -> SocketOptions {
        SocketOptions(security: .curveServer(secretKey: server.secretKey, domain: "tenant"))
    }

    private func client(_ keys: CurveKeyPair) -> SocketSecurity {
        .curveClient(keys: keys, serverKey: server.publicKey)
    }

    private func isRefusal(_ event: ConnectionEvent) -> Bool {
        if case .handshakeFailed = event { true } else { false }
    }

    @Test
    func `a client whose key is unknown is refused, one whose key is known is heard`() async throws {
        let fixture = try Fixture()
        let (inbox, events) = (Inbox<[Frame]>(), Inbox<ConnectionEvent>())
        let key = known.publicKey
        try fixture.thread.call { try ZAPHandler(loop: $0).admit(key, domain: "tenant") }
        let router = try fixture.listen(.router, options(), at: "tcp://127.0.0.1:*", into: inbox, events: events)
        let bad = try fixture.dial(client(stranger), to: router.endpoint)
        try fixture.send([[66]], on: bad)
        #expect(try await events.wait(for: 2).contains(where: isRefusal))
        let good = try fixture.dial(client(known), to: router.endpoint)
        try fixture.send([[71]], on: good)
        #expect(try await inbox.wait(for: 1).map { $0[1] } == [[71]])
    }

    @Test
    func `a key of one domain does not open another`() async throws {
        let fixture = try Fixture()
        let (inbox, events) = (Inbox<[Frame]>(), Inbox<ConnectionEvent>())
        let key = known.publicKey
        try fixture.thread.call { try ZAPHandler(loop: $0).admit(key, domain: "another") }
        let router = try fixture.listen(.router, options(), at: "tcp://127.0.0.1:*", into: inbox, events: events)
        try fixture.send([[1]], on: fixture.dial(client(known), to: router.endpoint))
        #expect(try await events.wait(for: 2).contains(where: isRefusal))
        #expect(inbox.items.isEmpty)
    }

    @Test
    func `without a ZAP handler nobody is let in`() async throws {
        let fixture = try Fixture()
        let (inbox, events) = (Inbox<[Frame]>(), Inbox<ConnectionEvent>())
        let router = try fixture.listen(.router, options(), at: "tcp://127.0.0.1:*", into: inbox, events: events)
        try fixture.send([[1]], on: fixture.dial(client(known), to: router.endpoint))
        // Two attempts: accepted and ended, twice, never with a handshake.
        let seen = try await events.wait(for: 4)
        #expect(!seen.contains(.handshakeSucceeded))
        #expect(inbox.items.isEmpty)
    }

    @Test
    func `a client without any key is refused by a CURVE server`() async throws {
        let fixture = try Fixture()
        let (inbox, events) = (Inbox<[Frame]>(), Inbox<ConnectionEvent>())
        let key = known.publicKey
        try fixture.thread.call { try ZAPHandler(loop: $0).admit(key, domain: "tenant") }
        let router = try fixture.listen(.router, options(), at: "tcp://127.0.0.1:*", into: inbox, events: events)
        try fixture.send([[1]], on: fixture.dial(.clearText, to: router.endpoint))
        #expect(try await events.wait(for: 2).contains(where: isRefusal))
        #expect(inbox.items.isEmpty)
    }

    @Test
    func `a revoked key is refused at the next handshake`() async throws {
        let fixture = try Fixture()
        let (inbox, events) = (Inbox<[Frame]>(), Inbox<ConnectionEvent>())
        let key = known.publicKey
        try fixture.thread.call { loop in
            let handler = try ZAPHandler(loop: loop)
            try handler.admit(key, domain: "tenant")
            try handler.revoke(key, domain: "tenant")
        }
        let router = try fixture.listen(.router, options(), at: "tcp://127.0.0.1:*", into: inbox, events: events)
        try fixture.send([[1]], on: fixture.dial(client(known), to: router.endpoint))
        #expect(try await events.wait(for: 2).contains(where: isRefusal))
        #expect(inbox.items.isEmpty)
    }

    @Test
    func `a second ZAP handler in one context is an error`() throws {
        let fixture = try Fixture()
        let error = #expect(throws: ZeroMQError.self) {
            try fixture.thread.call { loop in
                _ = try ZAPHandler(loop: loop)
                _ = try ZAPHandler(loop: loop)
            }
        }
        #expect(error?.isAddressInUse == true)
    }

    @Test
    func `who asks a loop for its ZAP handler gets the one that is open`() throws {
        let fixture = try Fixture()
        try fixture.thread.call { loop in
            let first = try ZAPHandler(loop: loop)
            #expect(try loop.zapHandler() === first)
            #expect(try loop.zapHandler() === first)
        }
    }

    @Test
    func `a secret key gives back its public key, and text that is no key is refused`() throws {
        #expect(try CurveKeyPair(secretKey: known.secretKey) == known)
        #expect(throws: ZeroMQError.self) { try CurveKeyPair(secretKey: "short") }
    }
}
