import Foundation
import ServiceKit
import ZeroMQ

/// The sockets of a `tail`, driven by its core. Confined to the socket thread.
final class TailSession {
    static let tick = Duration.milliseconds(200)
    /// Milliseconds without a connection before that is said.
    static let silence: Int64 = 1_000

    private let loop: SocketLoop
    private let keys: TailKeys
    private let lines: TailLine
    private let output: TailOutput
    private let end: TailEnd
    private let once: Bool
    private let patience: Int64
    private let begun = ContinuousClock.now
    private var core: TailCore
    private var options = SocketOptions()
    private var replay: SocketHandle?
    private var isConnected = false
    private var hasComplained = false
    /// When an answer to what was asked, or a part of one, last came.
    private var lastAnswer: Int64 = 0

    /// - Parameters:
    ///   - once: end as soon as everything there is has been shown.
    ///   - patience: milliseconds without an answer after which that ends all the same.
    init(
        _ keys: TailKeys, prefixes: [String], since: Int64?, once: Bool, lines: TailLine, output: TailOutput,
        end: TailEnd, loop: SocketLoop, patience: Int64 = 10_000
    ) {
        self.keys = keys
        self.patience = patience
        self.loop = loop
        self.output = output
        self.end = end
        self.once = once
        self.lines = lines
        core = TailCore(prefixes: prefixes, since: since)
    }

    /// Connects both sockets; the rest follows from what they bring. The loop's handlers keep the session alive.
    func open(prefixes: [String]) throws {
        options.security = try keys.security()
        options.receiveHighWater = 100_000
        try dial()
        options.subscriptions = ([TailMessage.heartbeatTopic] + prefixes).map { Frame($0.utf8) }
        let live = try loop.open(.sub, options: options, connect: keys.alerts_pub)
        loop.onReceive(live) { self.heard($0) }
        try loop.onConnection(live) { self.connection($0) }
        loop.every(Self.tick) { self.tick() }
    }

    /// Opens the socket to the replay endpoint, anew if there was one.
    private func dial() throws {
        if let replay { loop.close(replay) }
        let fresh = try loop.open(.dealer, options: options, connect: keys.alerts_replay)
        loop.onReceive(fresh) { self.answered($0) }
        replay = fresh
    }

    private var now: Int64 { Int64((ContinuousClock.now - begun) / .milliseconds(1)) }

    private func connection(_ event: ConnectionEvent) {
        switch event {
        case .handshakeSucceeded:
            if hasComplained { output.note("connected") }
            (isConnected, hasComplained) = (true, false)
            perform(core.handle(.connected(now: now)))
        case .disconnected where isConnected:
            isConnected = false
            hasComplained = true
            output.note("the alert router is gone; waiting for it at \(keys.alerts_pub)")
        case .handshakeFailed(code: 400):
            end.finish(ServiceError(.failed, "the alert router at \(keys.alerts_pub) refuses the key in \(keys.path)"))
        default: break
        }
    }

    private func tick() {
        if !isConnected && !hasComplained && now >= Self.silence {
            hasComplained = true
            output.note(
                "nobody listens at \(keys.alerts_pub); waiting for the alert router there (\"nkul up\" starts it)")
        }
        if once, now - lastAnswer >= patience {
            end.finish(
                ServiceError(
                    .failed, "the alert router at \(keys.alerts_replay) did not answer for \(patience / 1_000) s"))
        }
        perform(core.handle(.tick(now: now)))
    }

    /// Heartbeats and live messages are no answer: they come, too, while the replay endpoint is dead.
    private func heard(_ frames: [Frame]) {
        guard let message = TailMessage(frames) else { return }
        if message.isHeartbeat {
            perform(core.handle(.heartbeat(seq: message.seq, generation: message.header.generation, now: now)))
        } else {
            perform(core.handle(.live(message)))
        }
    }

    private func answered(_ frames: [Frame]) {
        let verb = frames.first.map { String(decoding: $0, as: UTF8.self) }
        let text = frames.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        if verb == "END", let seq = Int64(text) {
            lastAnswer = now
            perform(core.handle(.end(seq, now: now)))
        } else if verb == "ERROR" {
            let problem = "the replay endpoint answers: \(text)"
            if once { end.finish(ServiceError(.failed, problem)) } else { output.note(problem) }
        } else if let message = TailMessage(frames) {
            lastAnswer = now
            perform(core.handle(.replayed(message)))
        }
    }

    private func perform(_ actions: [TailCore.Action]) {
        for action in actions {
            switch action {
            case .ask(let request): ask(request)
            case .dropAnswers:
                do { try dial() } catch { end.finish(error) }
            case .show(let message):
                guard let line = lines.text(message) else { continue }
                if !output.line(line) { end.finish() }
            case .caughtUp: if once { end.finish() }
            case .restarted:
                output.note("the alert router's numbers begin anew (a restored home?); reading all alarms again")
            }
        }
    }

    private func ask(_ request: TailRequest) {
        let isSent = replay.flatMap { try? loop.send(request.frames, on: $0) } ?? false
        if !isSent { perform(core.handle(.unsent)) }
    }
}

/// Standard output and error of `tail`.
struct TailOutput: Sendable {
    /// Writes a line to stdout; false if nobody reads any more.
    func line(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Says something beside the results.
    func note(_ text: String) {
        FileHandle.standardError.write(Data("nkul tail: \(text)\n".utf8))
    }

    /// Whether stdout is a terminal whose user has not asked for plain text (no-color.org).
    static var isColourful: Bool {
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }
}
