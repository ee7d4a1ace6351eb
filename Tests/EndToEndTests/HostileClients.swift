import Foundation
import Synchronization
import Wire

@testable import PipelineTesting

/// Clients of ingest that mean no good, each over and over on a thread of its own, until told to stop.
final class HostileClients: Sendable {
    /// One who sends `bytes` and then reads, or first goes on sending `more`, or only waits.
    struct Client: Sendable {
        let name: String
        let bytes: [UInt8]
        var more: [UInt8] = []
        /// Connections that are held open at the same time without an end to the request.
        var held = 0
    }

    private let port: Int
    private let isOver = Atomic(false)
    private let running = Atomic(0)
    private let answers: Mutex<[String: [String: Int]]> = Mutex([:])

    init(port: Int) { self.port = port }

    /// How often each client was answered with which status line.
    var heard: [String: [String: Int]] { answers.withLock { $0 } }

    func start(_ clients: [Client]) {
        for client in clients {
            running.add(1, ordering: .relaxed)
            Thread.detachNewThread {
                while !self.isOver.load(ordering: .relaxed) { self.attack(client) }
                self.running.subtract(1, ordering: .releasing)
            }
        }
    }

    /// Ends; true once nobody is left.
    func stop() -> Bool {
        isOver.store(true, ordering: .relaxed)
        return becomesTrue(within: 120) { running.load(ordering: .acquiring) == 0 }
    }

    private func attack(_ client: Client) {
        if client.held > 0 { return hold(client) }
        guard let socket = try? LoopbackSocket.connected(port: port, timeout: 5) else { return note(client, "refused") }
        guard (try? socket.send(client.bytes)) != nil else { return note(client, Self.status(socket.receive())) }
        var sent = 0
        // A service that answers closes; what still comes is thrown away, so sending ends with an error.
        while !client.more.isEmpty, sent < 8 << 20, (try? socket.send(client.more)) != nil { sent += client.more.count }
        note(client, Self.status(socket.receive()))
        socket.shutdown()
    }

    private func hold(_ client: Client) {
        let sockets = (0..<client.held).compactMap { _ -> LoopbackSocket? in
            guard let socket = try? LoopbackSocket.connected(port: port, timeout: 5) else { return nil }
            try? socket.send(client.bytes)
            return socket
        }
        note(client, "held")
        _ = becomesTrue(within: 2) { isOver.load(ordering: .relaxed) }
        for socket in sockets { socket.shutdown() }
    }

    private func note(_ client: Client, _ status: String) {
        answers.withLock { $0[client.name, default: [:]][status, default: 0] += 1 }
    }

    private static func status(_ bytes: [UInt8]?) -> String {
        guard let bytes else { return "closed" }
        let text = String(decoding: bytes, as: UTF8.self)
        let isProblem = text.contains("application/problem+json")
        return String(text.dropFirst(9).prefix(3)) + (isProblem ? " problem" : "")
    }
}

extension HostileClients {
    /// Everything that a device with a token can try.
    static func all(token: String) throws -> [Client] {
        let post = "POST /v1/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
        func upload(_ name: String, _ body: [UInt8], _ fields: String = "", length: Int? = nil) -> Client {
            let head = post + fields + "Content-Length: \(length ?? body.count)\r\nConnection: close\r\n\r\n"
            return Client(name: name, bytes: Array(head.utf8) + body)
        }
        let row = #"{"seq":1,"captured_at_ms":1760000000000}"#
        let member = try Deflater.deflate([UInt8](repeating: 32, count: 32 << 20), format: .gzip, level: 9)
        let bomb = Array((0..<(900_000 / member.count)).map { _ in member }.joined())
        let deep = Array((String(repeating: "[{\"a\":", count: 100_000) + "1").utf8)
        let wide = Array(("{" + (0..<60_000).map { "\"k\($0)\":0" }.joined(separator: ",") + "}").utf8)
        let open = Array(
            ("[" + String(repeating: "{\"a\":[,", count: 9_000) + String(repeating: ",", count: 900_000)).utf8)
        let heads = (0..<16).map { "X-\($0): " + String(repeating: "a", count: 60_000) + "\r\n" }.joined()
        let document = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
        let rows = Array(String(repeating: "{\"seq\":1}\n", count: 90_000).utf8)
        let quotes = Array(("seq,captured_at_ms,comment\r1,2,\"" + String(repeating: "\"\"\r", count: 300_000)).utf8)
        let broken = [UInt8]("[{\"seq\":1,\"comment\":\"".utf8) + [UInt8](repeating: 0xC3, count: 500_000)
        let numbers = Array(("[{\"seq\":" + String(repeating: "9", count: 900_000) + "e999999999}]").utf8)
        let chunk = Array(("10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n").utf8)
        let upgrade = """
            GET /v1/realtime HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nConnection: Upgrade\r\n\
            Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
            """
        // An empty fragment without end, masked by zeros; and one of a kilobyte.
        let fragment: [UInt8] = [0x00, 0x80, 0, 0, 0, 0]
        let large: [UInt8] = [0x01, 0xFE, 4, 0, 0, 0, 0, 0] + [UInt8](repeating: 32, count: 1_024)
        return [
            upload("a decompression bomb", bomb, "Content-Encoding: gzip\r\n"),
            upload("a length that lies upwards", Array(row.utf8), length: 900_000),
            upload("a length beyond all limits", Array(row.utf8), length: 1 << 60),
            Client(
                name: "a length that lies downwards",
                bytes: Array((post + "Content-Length: 5\r\n\r\n" + row + "\r\n\r\n").utf8)),
            Client(
                name: "a body without end", bytes: Array((post + "Transfer-Encoding: chunked\r\n\r\n").utf8),
                more: chunk),
            Client(name: "a head without end", bytes: Array(post.utf8), more: Array("X-A: aaaaaaaaaaaaaaaa\r\n".utf8)),
            Client(name: "a line without end", bytes: Array(post.utf8), more: [UInt8](repeating: 65, count: 65_536)),
            upload("deep JSON", deep), upload("wide JSON", wide), upload("too many rows", rows),
            upload("unclosed quotes and bare CRs", quotes, "Content-Type: text/csv\r\n"),
            upload("broken UTF-8", broken), upload("a huge number", numbers), upload("NaN", Array("[NaN]".utf8)),
            upload("objects that are never closed", open),
            Client(name: "heads that stop", bytes: Array(post.utf8), held: 100),
            Client(name: "large heads that stop", bytes: Array((post + heads).utf8), held: 100),
            Client(
                name: "answers that nobody reads", bytes: Array(String(repeating: document, count: 1_000).utf8),
                held: 20),
            Client(
                name: "bodies that stop",
                bytes: Array((post + "Content-Length: 900000\r\n\r\n").utf8) + [UInt8](repeating: 32, count: 65_536),
                held: 100),
            Client(name: "fragments without end", bytes: Array(upgrade.utf8) + large, more: fragment),
            Client(name: "messages that stop", bytes: Array(upgrade.utf8) + large, held: 100),
        ]
    }
}
