import Foundation
import Synchronization
import Waiting
import ZeroMQ

@testable import AlertRouter

/// Sockets that ask for everything they can think of, and what they got.
final class HostileCrowd: Sendable {
    /// What a socket uses to come in, and what it may hear then: a tenant's frames, or nothing at all.
    struct Attempt: Sendable {
        let kind: SocketKind
        let endpoint: String
        let security: SocketSecurity
        let mayHear: String?
    }

    private struct Heard {
        var foreign: [String] = []
        var subscriptions = 0
    }

    private let heard = Mutex(Heard())
    private let own = Inbox<Void>()
    private let sockets: SocketThread

    init() throws {
        sockets = SocketThread(name: "crowd", context: try Context())
        sockets.start()
    }

    /// Frames of the tenants that the attempts may hear.
    var frames: Int { own.items.count }
    /// Everything else that came.
    var foreign: [String] { heard.withLock { $0.foreign } }
    var subscriptions: Int { heard.withLock { $0.subscriptions } }

    func stop() { sockets.stop() }

    /// Makes each attempt with all prefixes, again and again in the middle of connecting; when it hears what it may, alarms
    /// are raised, and it leaves when it has heard those that it may.
    func wave(
        _ attempts: [Attempt], prefixes: [[UInt8]], reconnects: Int, raising: () throws -> Int
    ) async throws {
        let before = frames
        for _ in 0..<reconnects { try close(open(attempts, Array(prefixes.prefix(3)))) }
        let handles = try open(attempts, prefixes)
        _ = try await own.wait(for: before + 1)
        let known = frames
        _ = try await own.wait(for: known + raising())
        try close(handles)
    }

    private func open(_ attempts: [Attempt], _ prefixes: [[UInt8]]) throws -> [SocketHandle] {
        try sockets.call { [self] loop in
            try attempts.map { attempt in
                var options = SocketOptions(security: attempt.security)
                options.linger = .zero
                options.immediate = false
                if attempt.kind == .sub { options.subscriptions = prefixes }
                let handle = try loop.open(attempt.kind, options: options, connect: attempt.endpoint)
                loop.onReceive(handle) { self.hear($0, attempt) }
                guard attempt.kind == .sub else {
                    for prefix in prefixes { try ask(prefix, handle, loop) }
                    return handle
                }
                heard.withLock { $0.subscriptions += prefixes.count }
                return handle
            }
        }
    }

    private func ask(_ prefix: [UInt8], _ handle: SocketHandle, _ loop: SocketLoop) throws {
        _ = try loop.send([Frame("SNAPSHOT".utf8), prefix], on: handle)
        _ = try loop.send([Frame("REPLAY".utf8), Frame("0".utf8), prefix], on: handle)
    }

    private func close(_ handles: [SocketHandle]) throws {
        try sockets.call { loop in for handle in handles { loop.close(handle) } }
    }

    private func hear(_ frames: [Frame], _ attempt: Attempt) {
        let isAnswer = ["END", "ERROR"].contains(String(decoding: frames[0], as: UTF8.self))
        let header = frames.count == 3 ? String(decoding: frames[1], as: UTF8.self) : ""
        let isOwn = attempt.mayHear.map { isAnswer || header.contains("\"/nkul/alerts/\($0)\"") } ?? false
        heard.withLock { heard in
            if isOwn {
                own.put(())
            } else {
                heard.foreign.append("\(attempt.endpoint): \(frames.map { String(decoding: $0, as: UTF8.self) })")
            }
        }
    }
}
