import Foundation
import SocketTesting

@testable import PipelineTesting

/// A client of SIA DC-09, written from the standard, which shares no code with the receiver; it encrypts by openssl.
final class Panel: Sendable {
    private let socket: LoopbackSocket

    init(port: Int) async throws {
        socket = try await apart { try LoopbackSocket.connected(port: port, timeout: 5) }
    }

    /// Sends a message and waits for the answer without its frame; nil if there is none.
    func ask(_ message: String) async throws -> String? { try await exchange(Self.frame(message)) }

    /// Sends bytes; the answer's message once its frame is checked; nil if nothing comes in time.
    func exchange(_ bytes: [UInt8], within seconds: Int = 2) async throws -> String? {
        try await apart { [socket] in
            var limit = timeval(tv_sec: seconds, tv_usec: 0)
            setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            try socket.send(bytes)
            var answer: [UInt8] = []
            while answer.last != 13 {
                guard let more = socket.receive() else { return nil }
                answer += more
            }
            let text = String(decoding: answer.dropFirst().dropLast(), as: UTF8.self)
            let message = String(text.dropFirst(8))
            guard answer.first == 10, Self.frame(message) == answer else { throw WrongFrame(text: text) }
            return message
        }
    }

    struct WrongFrame: Error { let text: String }

    /// LF, CRC, length, message, CR.
    static func frame(_ message: String, crc: Int? = nil, length: Int? = nil) -> [UInt8] {
        let bytes = Array(message.utf8)
        return [10] + Array(String(format: "%04X0%03X", crc ?? checksum(bytes), length ?? bytes.count).utf8) + bytes + [
            13
        ]
    }

    /// By a table of the 16 values of half a byte.
    private static func checksum(_ bytes: [UInt8]) -> Int {
        let table = (0..<16).map {
            (0..<4).reduce($0) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
        }
        return bytes.reduce(0) { crc, byte in
            let low = crc >> 4 ^ table[(crc ^ Int(byte)) & 15]
            return low >> 4 ^ table[(low ^ Int(byte) >> 4) & 15]
        }
    }

    static func time(ago seconds: TimeInterval = 0) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "_HH:mm:ss,MM-dd-yyyy"
        return format.string(from: Date().addingTimeInterval(-seconds))
    }

    /// A content that begins with its bar, filled up in front to whole blocks.
    static func encrypt(_ content: String, key: String) throws -> String {
        let padding = String(repeating: "Q", count: (16 - content.utf8.count % 16) % 16)
        let sealed = try openssl(["-e"], key, Array((padding + content).utf8))
        return sealed.map { String(format: "%02X", Int($0)) }.joined()
    }

    static func decrypt(_ digits: String, key: String) throws -> String {
        let all = Array(digits)
        let bytes = stride(from: 0, to: all.count - 1, by: 2).map { UInt8(String(all[$0...($0 + 1)]), radix: 16) ?? 0 }
        return String(decoding: try openssl(["-d"], key, bytes), as: UTF8.self)
    }

    private static func openssl(_ mode: [String], _ key: String, _ input: [UInt8]) throws -> [UInt8] {
        let process = Process(), sent = Pipe(), received = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments =
            ["enc", "-aes-128-cbc", "-nopad", "-K", key, "-iv", String(repeating: "0", count: 32)] + mode
        (process.standardInput, process.standardOutput) = (sent, received)
        try process.run()
        sent.fileHandleForWriting.write(Data(input))
        try sent.fileHandleForWriting.close()
        let output = received.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return [UInt8](output)
    }
}
