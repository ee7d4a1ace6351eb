import Foundation
import Synchronization
import SocketTesting
import ZeroMQ

@testable import AlertRouter

/// Sockets that ask for everything they can think of, and what they got.
final class HostileCrowd: Sendable {
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

    /// Frames of the tenants that the intruders may hear.
    var frames: Int { own.items.count }
    /// Everything else that came.
    var foreign: [String] { heard.withLock { $0.foreign } }
    var subscriptions: Int { heard.withLock { $0.subscriptions } }

    func stop() { sockets.stop() }

    /// Lets each intruder in with all prefixes, again and again in the middle of connecting; when it hears what it may, alarms
    /// are raised, and it leaves when it has heard those that it may.
    func wave(
        _ intruders: [Intruder], prefixes: [[UInt8]], reconnects: Int, raising: () throws -> Int
    ) async throws {
        let before = frames
        for _ in 0..<reconnects { try close(open(intruders, Array(prefixes.prefix(3)))) }
        let handles = try open(intruders, prefixes)
        _ = try await own.wait(for: before + 1)
        let known = frames
        _ = try await own.wait(for: known + raising())
        try close(handles)
    }

    private func open(_ intruders: [Intruder], _ prefixes: [[UInt8]]) throws -> [SocketHandle] {
        try sockets.call { [self] loop in
            try intruders.map { intruder in
                let handle = try intruder.open(prefixes, on: loop)
                loop.onReceive(handle) { self.hear($0, intruder) }
                guard intruder.kind == .sub else {
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

    private func hear(_ frames: [Frame], _ intruder: Intruder) {
        heard.withLock { heard in
            if intruder.mayHear(frames) {
                own.put(())
            } else {
                heard.foreign.append(intruder.text(of: frames))
            }
        }
    }
}
