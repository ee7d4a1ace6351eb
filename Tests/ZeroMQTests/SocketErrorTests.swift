import Foundation
import Testing
import SocketTesting
import TemporaryFiles
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct SocketErrorTests {
    private func failure(_ body: @escaping @Sendable (SocketLoop) throws -> Void) throws -> ZeroMQError {
        let fixture = try Fixture()
        return try #require(throws: ZeroMQError.self) { try fixture.thread.call(body) }
    }

    @Test
    func `an ipc path of 108 bytes is an error that gives the path and its length, one of 107 is bound`() throws {
        let directory = try TemporaryDirectory()
        let base = "ipc://\(directory.path)/"
        let longest = base + String(repeating: "x", count: 107 - (base.utf8.count - 6))
        let error = try failure { loop in
            _ = try loop.open(.router, bind: longest)
            _ = try loop.open(.router, bind: longest + "y")
        }
        #expect(error.code == ENAMETOOLONG)
        #expect(error.endpoint == longest + "y")
        #expect("\(error)".contains("108 bytes long, at most 107"))
    }

    @Test
    func `a port in use is an error that names the endpoint`() throws {
        let fixture = try Fixture()
        let taken = try fixture.thread.call { loop in
            try loop.open(.router, options: SocketOptions(security: .clearText), bind: "tcp://127.0.0.1:*").endpoint
        }
        let error = try failure { _ = try $0.open(.pub, options: SocketOptions(security: .clearText), bind: taken) }
        #expect(error.isAddressInUse)
        #expect(
            "\(error)" == "zeromq: cannot bind \(taken): the address is in use by another program (errno \(EADDRINUSE))"
        )
    }

    @Test
    func `a ROUTER says when the peer is not connected`() throws {
        let directory = try TemporaryDirectory()
        let endpoint = "ipc://\(directory.path)/socket"
        let error = try failure { loop in
            let router = try loop.open(.router, bind: endpoint)
            try loop.send([[1, 2, 3], [4]], on: router)
        }
        #expect(error.isUnreachable)
        #expect(error.code == EHOSTUNREACH)
    }

    @Test
    func `a directory that does not exist is an error that names the endpoint`() throws {
        let error = try failure { _ = try $0.open(.router, bind: "ipc:///nonexistent/socket") }
        #expect(error.code == ENOENT)
        #expect("\(error)".contains("ipc:///nonexistent/socket"))
    }

    @Test
    func `TCP without keys is refused unless asked for, and then on loopback only`() throws {
        #expect(try failure { _ = try $0.open(.pub, bind: "tcp://127.0.0.1:*") }.code == EACCES)
        for host in ["0.0.0.0", "*", "127.example.org", "192.0.2.1"] {
            let error = try failure {
                _ = try $0.open(.pub, options: SocketOptions(security: .clearText), bind: "tcp://\(host):5556")
            }
            #expect(error.code == EACCES, "\(host)")
        }
    }

    @Test
    func `a CURVE server without a ZAP domain is refused`() throws {
        let error = try failure { loop in
            let options = SocketOptions(
                security: .curveServer(secretKey: try CurveKeyPair.generate().secretKey, domain: ""))
            _ = try loop.open(.pub, options: options, bind: "tcp://127.0.0.1:*")
        }
        #expect(error.code == EACCES)
    }

    @Test
    func `a frame above the limit cuts the sender off and is never delivered`() async throws {
        let fixture = try Fixture()
        let (inbox, events) = (Inbox<[Frame]>(), Inbox<ConnectionEvent>())
        var options = SocketOptions(security: .clearText)
        options.maximumFrameBytes = 1_000
        let router = try fixture.listen(.router, options, at: "tcp://127.0.0.1:*", into: inbox, events: events)
        let dealer = try fixture.dial(.clearText, to: router.endpoint)
        try fixture.send([Frame(repeating: 1, count: 1_000)], on: dealer)
        try fixture.send([Frame(repeating: 2, count: 1_001)], on: dealer)
        #expect(try await inbox.wait(for: 1).map { $0[1].count } == [1_000])
        #expect(try await events.wait(for: 3).prefix(3) == [.accepted, .handshakeSucceeded, .disconnected])
        #expect(inbox.items.count == 1)
    }

    @Test
    func `a closed socket is an error, not a crash`() throws {
        let directory = try TemporaryDirectory()
        let endpoint = "ipc://\(directory.path)/socket"
        let error = try failure { loop in
            let router = try loop.open(.router, bind: endpoint)
            loop.close(router)
            loop.close(router)
            try loop.send([[1]], on: router)
        }
        #expect(error.code == ENOTSOCK)
    }
}
