import Foundation
import Logging
import ServiceLifecycle
import TemporaryFiles
import Testing
import ZeroMQ

@testable import ServiceKit

/// A control server in a home of its own, run as `ServiceMain` runs it.
struct ControlBench: Sendable {
    let directory = try! TemporaryDirectory()
    let host: ServiceHost
    let client: ControlClient

    init(_ service: ServiceName = .ingest) throws {
        let home = Home(path: directory.path + "/home")
        try home.prepare()
        host = ServiceHost(service, home: home, logger: Log.logger("test", level: "critical"))
        client = ControlClient(home, service)
    }

    var socket: String { host.home.controlSocket(of: host.service) }

    /// Serves the calls while `body` runs; then stops as SIGTERM would.
    func serving(
        _ calls: [ControlCall], longest: Duration = ControlServer.longestCall,
        _ body: @escaping @Sendable (_ stop: @escaping @Sendable () async -> Void) async throws -> Void
    ) async throws {
        let server = try ControlServer(host, calls: calls, longest: longest)
        let group = ServiceGroup(
            configuration: .init(services: [server], logger: Log.logger("test", level: "critical")))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask { [host] in
                while host.listeners.address(of: "control") == nil {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                try await body { await group.triggerGracefulShutdown() }
                await group.triggerGracefulShutdown()
            }
            do {
                while try await tasks.next() != nil {}
            } catch {
                tasks.cancelAll()
                throw error
            }
        }
    }

    /// Sends frames as they are, without the client's manners, and waits for the answer.
    func send(_ frames: [Frame], as kind: SocketKind = .req) async throws -> JSONValue {
        let sockets = SocketThread(name: "raw", context: try Context())
        sockets.start()
        defer { sockets.stop() }
        let answer = ControlAnswer()
        let socket = socket
        let bytes = try await withCheckedThrowingContinuation { waiting in
            answer.wait(waiting)
            sockets.enqueue { loop in
                do {
                    var options = SocketOptions()
                    options.immediate = false
                    let handle = try loop.open(kind, options: options, connect: "ipc://\(socket)")
                    loop.onReceive(handle) { answer.give($0.last ?? []) }
                    try loop.send(frames, on: handle)
                } catch { answer.fail(error) }
            }
        }
        return try JSONValue(bytes: bytes)
    }
}

/// The control error of an operation; nil if it does not end with one.
func controlError(_ body: () async throws -> Void) async -> ControlError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? ControlError
    }
}

/// Expects what an asynchronous call answered; `#expect` cannot hold a `try` inside the closures of ``ControlBench``.
func check<Value: Equatable>(
    _ value: Value, is expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(value == expected, sourceLocation: sourceLocation)
}
