import Foundation
import ServiceKit
import SocketTesting

@testable import PipelineTesting

/// A door's device as `docs/sites.md` wants it: a WebSocket of its own, and a memory of the commands that it has carried out.
final class DoorController: @unchecked Sendable {
    // One thread reads and answers; tests look under the lock.
    private let lock = NSLock()
    private let socket: LoopbackSocket
    private var bytes: [UInt8] = []
    private var carriedOut: [String] = []
    private var seq: Int64 = 100
    private var isMute = false

    /// How often the door was opened.
    var opened: [String] { lock.withLock { carriedOut } }

    init(token: String, port: Int) throws {
        socket = try LoopbackSocket.connected(port: port, timeout: 60)
        try socket.send(
            Array(
                """
                GET /v1/realtime HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nConnection: Upgrade\r\n\
                Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
                """.utf8))
        while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            guard let more = socket.receive() else { throw ExchangeError.replyLost }
            bytes += more
        }
        bytes.removeSubrange(..<bytes.firstRange(of: Array("\r\n\r\n".utf8))!.upperBound)
        Thread.detachNewThread { [self] in work() }
    }

    func close() { socket.shutdown() }

    /// Does not answer any more.
    func mute() { lock.withLock { isMute = true } }

    private func work() {
        while let text = next() {
            guard let order = try? JSONValue(bytes: text), order["kind"]?.string == "open_door",
                let command = order["command"]?.string
            else { continue }
            let result: String? = lock.withLock {
                if isMute { return nil }
                if carriedOut.contains(command) { return "repeated" }
                if order["expires_at_ms"]?.integer ?? 0 <= AlarmsHouse.now { return "expired" }
                carriedOut.append(command)
                return "opened"
            }
            guard let result else { continue }
            seq += 1
            let answer =
                #"{"kind":"command_result","seq":\#(seq),"captured_at_ms":\#(AlarmsHouse.now),"site":12,"door":3,"#
                + #""command":"\#(command)","result":"\#(result)"}"#
            try? socket.send(Self.masked(answer))
        }
    }

    /// The next text message; nil once the connection is over.
    private func next() -> [UInt8]? {
        while true {
            if bytes.count >= 2 {
                let short = Int(bytes[1] & 127), head = short == 126 ? 4 : 2
                if bytes.count >= head {
                    let length = short == 126 ? Int(bytes[2]) << 8 | Int(bytes[3]) : short
                    if bytes.count >= head + length {
                        let opcode = bytes[0] & 15, payload = Array(bytes[head..<(head + length)])
                        bytes.removeFirst(head + length)
                        if opcode == 1 { return payload }
                        continue
                    }
                }
            }
            guard let more = socket.receive() else { return nil }
            bytes += more
        }
    }

    private static func masked(_ text: String) -> [UInt8] {
        let payload = Array(text.utf8)
        // A mask of zeros is a mask.
        return [0x81, 0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255), 0, 0, 0, 0] + payload
    }
}
