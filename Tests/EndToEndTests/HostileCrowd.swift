import Foundation
import PipelineTesting
import SocketTesting
import Synchronization
import ZeroMQ

/// Sockets that come in by every key and ask for everything they can think of, and what they got.
final class HostileCrowd: Sendable {
    private struct Heard {
        var foreign: [String] = []
        var alarms: Set<ReferenceAlarm> = []
        var live = 0
        var answers = 0
        var subscriptions = 0
    }

    /// Prefixes for which a socket asks SNAPSHOT and REPLAY in a wave.
    private static let questions = 12

    private let heard = Mutex(Heard())
    private let intruders: [Intruder]
    private let sockets: SocketThread

    init(_ intruders: [Intruder]) throws {
        self.intruders = intruders
        sockets = SocketThread(name: "crowd", context: try Context())
        sockets.start()
    }

    /// Everything that came where nothing may, or from somebody else.
    var foreign: [String] { heard.withLock { $0.foreign } }
    /// The alarms that came where they may.
    var alarms: Set<ReferenceAlarm> { heard.withLock { $0.alarms } }
    /// Messages that came to subscribers where they may.
    var live: Int { heard.withLock { $0.live } }
    /// Ends of SNAPSHOT and REPLAY that came where they may.
    var answers: Int { heard.withLock { $0.answers } }
    var subscriptions: Int { heard.withLock { $0.subscriptions } }

    func stop() { sockets.stop() }

    /// Comes and goes in the middle of connecting, then stays with all prefixes: half of them asked for before the
    /// handshake, half after it.
    ///
    /// - Parameter meanwhile: done while they stay; they wait until they hear again what they may.
    /// - Returns: false if they did not.
    func wave(_ prefixes: [[UInt8]], meanwhile: () throws -> Void) throws -> Bool {
        for _ in 0..<4 { try close(open(prefixes.prefix(4))) }
        let half = prefixes.count / 2, answered = answers
        let handles = try open(prefixes[..<half])
        var isHeard = hearsMore() && becomesTrue(within: 120) { answers >= answered + Self.questions }
        try subscribe(handles, prefixes[half...])
        try meanwhile()
        isHeard = hearsMore() && isHeard
        try close(handles)
        return isHeard
    }

    /// Ten alarms or heartbeats.
    private func hearsMore() -> Bool {
        let before = live
        return becomesTrue(within: 120) { live >= before + 10 }
    }

    private func open(_ prefixes: ArraySlice<[UInt8]>) throws -> [SocketHandle] {
        try sockets.call { [self] loop in
            try intruders.map { intruder in
                let handle = try intruder.open(Array(prefixes), on: loop)
                guard intruder.kind == .dealer else {
                    loop.onReceive(handle) { self.hear($0, intruder) }
                    heard.withLock { $0.subscriptions += prefixes.count }
                    return handle
                }
                try ask(Array(prefixes.prefix(Self.questions)), intruder, handle, loop)
                return handle
            }
        }
    }

    /// Asks everything at once, of which the last is answered; then, whenever there is an answer, one thing more.
    private func ask(
        _ prefixes: [[UInt8]], _ intruder: Intruder, _ handle: SocketHandle, _ loop: SocketLoop
    ) throws {
        var later = prefixes
        loop.onReceive(handle) { [self, unowned loop] frames in
            hear(frames, intruder)
            guard Intruder.isAnswer(frames), let prefix = later.popLast() else { return }
            _ = try? loop.send([Frame("REPLAY".utf8), Frame("0".utf8), prefix], on: handle)
        }
        for prefix in prefixes {
            _ = try loop.send([Frame("REPLAY".utf8), Frame("0".utf8), prefix], on: handle)
            _ = try loop.send([Frame("SNAPSHOT".utf8), prefix], on: handle)
        }
    }

    private func subscribe(_ handles: [SocketHandle], _ prefixes: ArraySlice<[UInt8]>) throws {
        try sockets.call { [self] loop in
            for (handle, intruder) in zip(handles, intruders) where intruder.kind == .sub {
                for prefix in prefixes { try loop.subscribe(prefix, on: handle) }
                heard.withLock { $0.subscriptions += prefixes.count }
            }
        }
    }

    private func close(_ handles: [SocketHandle]) throws {
        try sockets.call { loop in for handle in handles { loop.close(handle) } }
    }

    private func hear(_ frames: [Frame], _ intruder: Intruder) {
        let isAnswer = Intruder.isAnswer(frames)
        heard.withLock { heard in
            guard intruder.mayHear(frames) else { return heard.foreign.append(intruder.text(of: frames)) }
            if isAnswer { heard.answers += 1 } else if intruder.kind == .sub { heard.live += 1 }
            if let (_, alarm) = AlarmListener.alarm(in: frames), alarm.isOfOneRecord { heard.alarms.insert(alarm) }
        }
    }
}
