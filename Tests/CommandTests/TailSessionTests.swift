import Foundation
import ServiceKit
import Testing
import Wire
import ZeroMQ

@testable import Administration

/// `nkul tail --once` against an alert endpoint of the test's own.
@Suite(.timeLimit(.minutes(1)))
struct TailSessionTests {
    private let folder = ScratchFolder()

    /// Follows an endpoint whose heartbeats come every 20 ms and whose answer to each request is as given, to the end.
    private func once(answering answer: [String]?) async throws {
        let (pub, replay) = ("ipc://\(folder.path)/pub", "ipc://\(folder.path)/replay")
        let addresses = "\"alerts_pub\":\"\(pub)\",\"alerts_replay\":\"\(replay)\""
        let keys = try TailKeys.read(folder.write("clear.json", "{\(addresses),\"curve\":false}"))
        let thread = SocketThread(name: "tail", context: try Context()), end = TailEnd()
        thread.start()
        defer { thread.stop() }
        let heartbeat = try heartbeat()
        try thread.call { loop in
            let live = try loop.open(.pub, bind: pub), answers = try loop.open(.router, bind: replay)
            loop.every(.milliseconds(20)) { _ = try? loop.send(heartbeat, on: live) }
            loop.onReceive(answers) { frames in
                guard let answer else { return }
                _ = try? loop.send([frames[0]] + answer.map { Frame($0.utf8) }, on: answers)
            }
            try TailSession(
                keys, prefixes: ["alerts/"], since: nil, once: true,
                lines: TailLine(style: .json, prefixes: ["alerts/"]), output: TailOutput(), end: end, loop: loop,
                patience: 400
            ).open(prefixes: ["alerts/"])
        }
        try await end.wait()
    }

    private func heartbeat() throws -> [Frame] {
        let header = "{\"seq\":0,\"time\":\"2026-01-01T00:00:00.000Z\"}"
        return [
            Frame(TailMessage.heartbeatTopic.utf8), Frame(header.utf8),
            try Deflater.deflate(Array("{}".utf8), format: .zlib),
        ]
    }

    @Test func `once ends well when everything was answered`() async throws {
        try await once(answering: ["END", "0"])
    }

    @Test func `once ends although heartbeats come when no request is answered`() async throws {
        let error = await #expect(throws: ServiceError.self) { try await once(answering: nil) }
        #expect(error?.message.contains("/replay did not answer") == true)
    }

    @Test func `once ends with what the endpoint says is wrong`() async throws {
        let error = await #expect(throws: ServiceError.self) { try await once(answering: ["ERROR", "no such prefix"]) }
        #expect(error?.message == "the replay endpoint answers: no such prefix")
    }
}
