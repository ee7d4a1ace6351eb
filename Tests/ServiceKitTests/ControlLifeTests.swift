import Models
import Foundation
import Synchronization
import Testing
import ZeroMQ

@testable import ServiceKit

/// Who comes, goes and waits on a control socket.
@Suite(.timeLimit(.minutes(1)))
struct ControlLifeTests {
    /// A call that waits until it is let go or cancelled.
    private final class Gate: Sendable {
        let entered = AsyncStream.makeStream(of: Void.self)
        private let exit = AsyncStream.makeStream(of: Void.self)

        var call: ControlCall {
            ControlCall("wait") { [self] _ in
                entered.continuation.yield()
                for await _ in exit.stream {}
                return "let go"
            }
        }

        func waitForEntry() async {
            for await _ in entered.stream { return }
        }

        func open() { exit.continuation.finish() }
    }

    @Test func `a service that does not run is named, with how to start it`() async throws {
        let bench = try ControlBench(.analyticsExporter)
        let error = await controlError { _ = try await bench.client.call("tenant.list") }
        #expect(error?.code == ControlError.down)
        #expect(
            error?.message.contains("nkul-analytics-exporter does not run in the home \(bench.host.home.path)") == true)
        #expect(error?.message.contains("nkul up --home \(bench.host.home.path)") == true)
    }

    @Test func `a socket left by a kill is a service that does not run`() async throws {
        let bench = try ControlBench()
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bench.socket.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        close(file)
        #expect(FileManager.default.fileExists(atPath: bench.socket))
        #expect(await controlError { _ = try await bench.client.call("status") }?.code == ControlError.down)
        // And the next start takes its place.
        try await bench.serving([]) { _ in try await check(bench.client.call("status")["service"], is: "ingest") }
        #expect(!FileManager.default.fileExists(atPath: bench.socket))
    }

    @Test func `a service that holds its lock and does not answer yet is said to be starting`() async throws {
        let bench = try ControlBench()
        let lock = try HomeLock(bench.host.home, of: .ingest)
        let error = await controlError { _ = try await bench.client.call("status") }
        #expect(error?.message.contains("is starting or stopping") == true)
        withExtendedLifetime(lock) {}
    }

    @Test func `calls are answered at once while others wait`() async throws {
        let bench = try ControlBench()
        let gate = Gate()
        try await bench.serving([gate.call, ControlCall("echo") { $0 }]) { _ in
            let waiting = Task { try await bench.client.call("wait", timeout: .seconds(300)) }
            await gate.waitForEntry()
            try await withThrowingTaskGroup(of: (Int64, JSONValue).self) { group in
                for number in Int64(0)..<40 {
                    group.addTask {
                        (number, try await bench.client.call("echo", .integer(number), timeout: .seconds(300)))
                    }
                }
                for try await (number, answer) in group { #expect(answer == .integer(number)) }
            }
            gate.open()
            try await check(waiting.value, is: "let go")
        }
    }

    @Test func `a stop answers those who wait and ends`() async throws {
        let bench = try ControlBench()
        let gate = Gate()
        try await bench.serving([gate.call]) { stop in
            let waiting = (0..<3).map { _ in
                Task { await controlError { _ = try await bench.client.call("wait", timeout: .seconds(300)) } }
            }
            for _ in waiting { await gate.waitForEntry() }
            await stop()
            for call in waiting { #expect(await call.value?.code == ControlError.stopping) }
        }
        #expect(await controlError { _ = try await bench.client.call("status") }?.code == ControlError.down)
    }

    @Test func `a call that does not heed its cancellation holds no stop up`() async throws {
        let bench = try ControlBench()
        let deaf = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let entered = AsyncStream.makeStream(of: Void.self)
        let call = ControlCall("deaf") { _ in
            await withCheckedContinuation { continuation in
                deaf.withLock { $0 = continuation }
                entered.continuation.yield()
            }
            return nil
        }
        try await bench.serving([call]) { stop in
            let waiting = Task {
                await controlError { _ = try await bench.client.call("deaf", timeout: .seconds(300)) }
            }
            for await _ in entered.stream { break }
            await stop()
            #expect(await waiting.value?.code == ControlError.stopping)
        }
        deaf.withLock { $0 }?.resume()
    }

    @Test func `a call that takes too long is cancelled and answered`() async throws {
        let bench = try ControlBench()
        let gate = Gate()
        try await bench.serving([gate.call], longest: .milliseconds(20)) { _ in
            #expect(
                await controlError { _ = try await bench.client.call("wait", timeout: .seconds(300)) }?.code
                    == ControlError.timeout)
        }
    }

    @Test func `a client that gives up is told so, and the server goes on`() async throws {
        let bench = try ControlBench()
        let gate = Gate()
        try await bench.serving([gate.call, ControlCall("echo") { $0 }]) { _ in
            let error = await controlError { _ = try await bench.client.call("wait", timeout: .milliseconds(20)) }
            #expect(error?.code == ControlError.timeout)
            let cancelled = Task { try await bench.client.call("wait", timeout: .seconds(300)) }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            gate.open()
            try await check(bench.client.call("echo", 1), is: 1)
        }
    }

    @Test func `more calls than may be under way are answered with busy`() async throws {
        let bench = try ControlBench()
        let gate = Gate()
        try await bench.serving([gate.call]) { _ in
            let request = try SortedJSON.bytes(of: ControlRequest(call: "wait"))
            let sockets = SocketThread(name: "many", context: try Context())
            sockets.start()
            defer { sockets.stop() }
            let busy = AsyncStream.makeStream(of: [UInt8].self)
            let path = bench.socket
            try sockets.call { loop in
                var options = SocketOptions()
                options.immediate = false
                let dealer = try loop.open(.dealer, options: options, connect: "ipc://\(path)")
                loop.onReceive(dealer) { busy.continuation.yield($0.last ?? []) }
                for _ in 0...ControlServer.mostCalls { try loop.send([[], request], on: dealer) }
            }
            for await answer in busy.stream {
                let busyAnswer = try JSONValue(bytes: answer)["error"]?["code"]
                #expect(busyAnswer == "busy")
                break
            }
            gate.open()
        }
    }
}
