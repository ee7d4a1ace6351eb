import Models
import Foundation
import Synchronization
import TemporaryFiles
import Testing
import ZeroMQ

@testable import ServiceKit

@Suite(.timeLimit(.minutes(1)))
struct ControlTests {
    private let echo = ControlCall("echo") { arguments in arguments }
    /// Never answers by itself; ends when it is cancelled.
    private let wait = ControlCall("wait") { _ in
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        return nil
    }

    @Test func `what is asked is answered`() async throws {
        let bench = try ControlBench()
        let value: JSONValue = [
            "text": "Ébène 🥁", "large": 9_007_199_254_740_993, "half": 0.5, "list": [true, nil, []], "deep": ["a": [:]],
        ]
        try await bench.serving([echo]) { _ in try await check(bench.client.call("echo", value), is: value) }
    }

    @Test func `status and calls are always there`() async throws {
        let bench = try ControlBench(.alertRouter)
        bench.host.readiness.declare("lane realtime", problem: "waiting")
        try await bench.serving([echo]) { _ in
            try await check(bench.client.call("calls"), is: ["calls", "clock.show", "echo", "status"])
            let status = try await bench.client.call("status")
            #expect(status["service"] == "alert-router" && status["pid"]?.integer == Int64(getpid()))
            #expect(status["ready"] == false && status["home"]?.string == bench.host.home.path)
            #expect(status["listeners"]?["control"]?.string == "ipc://\(bench.socket)")
            #expect(status["conditions"]?.array?.first?["problem"] == "waiting")
        }
    }

    @Test func `a call that is not there is answered with those that are`() async throws {
        let bench = try ControlBench()
        try await bench.serving([echo]) { _ in
            let error = await controlError { _ = try await bench.client.call("ech0") }
            #expect(error?.code == ControlError.unknownCall)
            #expect(error?.message.contains("calls, clock.show, echo, status") == true)
        }
    }

    @Test func `errors of a call arrive as they are`() async throws {
        let bench = try ControlBench()
        struct Broken: Error, CustomStringConvertible { let description = "the drum is broken" }
        struct Wish: Decodable, Sendable { let beats: Int }
        let calls = [
            ControlCall("refuse") { _ in throw ControlError.refused("not on Sundays") },
            ControlCall.typed("break", JSONValue.self) { _ -> JSONValue in throw Broken() },
            ControlCall.typed("drum", Wish.self) { $0.beats },
        ]
        try await bench.serving(calls) { _ in
            let refused = await controlError { _ = try await bench.client.call("refuse") }
            #expect(refused == .refused("not on Sundays"))
            let failed = await controlError { _ = try await bench.client.call("break") }
            #expect(failed?.code == ControlError.failed)
            #expect(failed?.message == "the drum is broken")
            try await check(bench.client.call("drum", ["beats": 3]), is: 3)
            let missing = await controlError { _ = try await bench.client.call("drum") }
            #expect(missing == .argument("beats", "is missing"))
            let wrong = await controlError { _ = try await bench.client.call("drum", ["beats": "three"]) }
            #expect(wrong == .argument("beats", "cannot be read"))
        }
    }

    @Test(arguments: ["", "{", "[]", "{\"call\":1}", "{\"arguments\":{}}", "\u{0}\u{1}", "nonsense"])
    func `what is not a request is answered, and the next one too`(text: String) async throws {
        let bench = try ControlBench()
        try await bench.serving([echo]) { _ in
            let answer = try await bench.send([Array(text.utf8)])
            #expect(answer["error"]?["code"] == "malformed_request")
            try await check(bench.client.call("echo", 1), is: 1)
        }
    }

    @Test func `bytes that are no text and several frames are answered too`() async throws {
        let bench = try ControlBench()
        try await bench.serving([echo]) { _ in
            try await check(bench.send([[0xFF, 0xFE, 0x00]])["error"]?["code"], is: "malformed_request")
            let two = try await bench.send([Array(#"{"call":"echo"}"#.utf8), [1]])
            #expect(two["error"]?["code"] == "malformed_request")
            let deep = String(repeating: "[", count: 30_000)
            let answer = try await bench.send([Array(#"{"call":"echo","arguments":\#(deep)"#.utf8)])
            #expect(answer["error"]?["code"] == "malformed_request")
            // Without the empty frame of a REQ nobody can be answered; the server goes on.
            let dealer = try await bench.send([[], Array(#"{"call":"echo","arguments":2}"#.utf8)], as: .dealer)
            #expect(dealer["result"] == 2)
        }
    }

    @Test func `a request over 64 KB is refused by the client and by the server`() async throws {
        let bench = try ControlBench()
        try await bench.serving([echo]) { _ in
            let long = JSONValue.string(String(repeating: "a", count: ControlRequest.mostBytes))
            let error = await controlError { _ = try await bench.client.call("echo", long) }
            #expect(error?.code == ControlError.tooLarge)
            let request = try SortedJSON.bytes(of: ControlRequest(call: "echo", arguments: long))
            let raw = try await bench.send([request])
            #expect(raw["error"]?["code"] == "too_large")
            #expect(raw["error"]?["message"]?.string?.contains("65536") == true)
            let fitting = JSONValue.string(String(repeating: "a", count: ControlRequest.mostBytes - 64))
            try await check(bench.client.call("echo", fitting), is: fitting)
        }
    }

    @Test func `an answer over 1 MB becomes an error`() async throws {
        let bench = try ControlBench()
        let large = ControlCall("large") { arguments in .string(String(repeating: "x", count: Int(arguments.integer!)))
        }
        try await bench.serving([large]) { _ in
            #expect(await controlError { _ = try await bench.client.call("large", 1_048_577) }?.code == "too_large")
            try await check(bench.client.call("large", 1_048_000).string?.utf8.count, is: 1_048_000)
        }
    }

    @Test func `the socket is the owner's alone`() async throws {
        let bench = try ControlBench()
        try await bench.serving([]) { _ in
            let mode = try FileManager.default.attributesOfItem(atPath: bench.socket)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `a run directory that others may use is refused`() async throws {
        let bench = try ControlBench()
        chmod(bench.host.home.run, 0o755)
        await #expect {
            try await bench.serving([]) { _ in Issue.record("was bound") }
        } throws: { error in
            "\(error)".contains("chmod 700")
        }
    }

    @Test func `a path over 107 bytes is an error that says so`() async throws {
        let bench = try ControlBench()
        let home = Home(path: bench.directory.path + "/" + String(repeating: "h", count: 100))
        let host = ServiceHost(.ingest, home: home)
        #expect { try ControlServer(host, calls: []) } throws: { error in
            let error = error as? ServiceError
            return error?.exitCode == 2 && error?.message.contains("more than the 107") == true
        }
        await #expect(throws: ServiceError.self) { try await ControlClient(home, .ingest).call("status") }
    }
}
