import ZeroMQ

/// How a subscriber misses nothing: what it has completely, when it asks again, and what it has shown already.
///
/// Pure; times are milliseconds of any clock that does not go back.
///
///     connected ──▶ SNAPSHOT (or REPLAY since) per prefix ──END──▶ live
///     live ──heartbeat ahead for 2 s, or connected again──▶ REPLAY complete ──END──▶ live
struct TailCore {
    enum Event {
        /// The live connection stands, for the first time or again.
        case connected(now: Int64)
        case live(TailMessage)
        case heartbeat(seq: Int64, generation: String?, now: Int64)
        case replayed(TailMessage)
        /// The answer to the last request is complete up to a number.
        case end(Int64, now: Int64)
        /// The last request could not be sent.
        case unsent
        case tick(now: Int64)
    }

    enum Action: Equatable {
        case ask(TailRequest)
        /// What is still to come of an earlier request must not be taken for the answer to the next one.
        case dropAnswers
        case show(TailMessage)
        /// Everything up to this number has been shown.
        case caughtUp(Int64)
        /// The endpoint begins anew: numbers shown before mean nothing any more.
        case restarted
    }

    static let patience: Int64 = 2_000
    static let answerTimeout: Int64 = 5_000
    /// Live messages held back during an answer; more are left to the next REPLAY.
    static let mostWaiting = 10_000

    /// Everything up to this number is known for all prefixes; nil before the first answer.
    private(set) var complete: Int64?
    private let prefixes: [String]
    /// Prefixes whose answer is still to come; the first one is being asked.
    private var asking: [String] = []
    private var askedAt: Int64?
    /// A request was sent and its END has not come.
    private var isOutstanding = false
    private var ends: [Int64] = []
    private var shown: Set<Int64> = []
    private var waiting: [TailMessage] = []
    private var aheadSince: Int64?
    private var behindSince: Int64?
    private var generation: String?

    /// - Parameter since: the number after which messages are wanted; nil: the present state of every alarm first.
    init(prefixes: [String], since: Int64?) {
        self.prefixes = prefixes
        complete = since
    }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .connected(let now): return asking.isEmpty ? ask(now) : []
        case .live(let message): return live(message)
        case .heartbeat(let seq, let generation, let now): return heartbeat(seq, generation, now)
        case .replayed(let message): return show(message)
        case .end(let seq, let now): return end(seq, now)
        case .unsent:
            askedAt = nil
            isOutstanding = false
            return []
        case .tick(let now):
            guard !asking.isEmpty, askedAt.map({ now - $0 >= Self.answerTimeout }) ?? true else { return [] }
            return askNext(now)
        }
    }

    private mutating func ask(_ now: Int64) -> [Action] {
        asking = prefixes
        ends = []
        aheadSince = nil
        behindSince = nil
        return askNext(now)
    }

    private mutating func askNext(_ now: Int64) -> [Action] {
        guard let prefix = asking.first else { return [] }
        defer { isOutstanding = true }
        askedAt = now
        let request = complete.map { TailRequest.replay(after: $0, prefix: prefix) } ?? .snapshot(prefix: prefix)
        return isOutstanding ? [.dropAnswers, .ask(request)] : [.ask(request)]
    }

    private mutating func live(_ message: TailMessage) -> [Action] {
        guard asking.isEmpty, complete != nil else {
            if waiting.count < Self.mostWaiting { waiting.append(message) }
            return []
        }
        return show(message)
    }

    private mutating func show(_ message: TailMessage) -> [Action] {
        guard message.seq > complete ?? -1, shown.insert(message.seq).inserted else { return [] }
        if asking.isEmpty { advance() }
        return [.show(message)]
    }

    /// Numbers without a gap are complete whatever the prefix.
    private mutating func advance() {
        while let next = complete.map({ $0 + 1 }), shown.remove(next) != nil { complete = next }
    }

    private mutating func end(_ seq: Int64, _ now: Int64) -> [Action] {
        guard !asking.isEmpty else { return [] }
        isOutstanding = false
        asking.removeFirst()
        ends.append(seq)
        guard asking.isEmpty else { return askNext(now) }
        let reached = max(complete ?? 0, ends.min() ?? 0)
        complete = reached
        shown = shown.filter { $0 > reached }
        advance()
        let held = waiting.sorted { $0.seq < $1.seq }
        waiting = []
        return [.caughtUp(reached)] + held.flatMap { show($0) }
    }

    private mutating func heartbeat(_ seq: Int64, _ generation: String?, _ now: Int64) -> [Action] {
        guard let complete else { return [] }
        let isOther = generation != nil && self.generation != nil && generation != self.generation
        self.generation = generation ?? self.generation
        // An END can overtake heartbeats on the other socket, so one that is behind proves nothing yet.
        behindSince = seq < complete ? behindSince ?? now : nil
        if isOther || behindSince.map({ now - $0 >= Self.patience }) ?? false { return restart(now) }
        aheadSince = seq > complete && asking.isEmpty ? aheadSince ?? now : nil
        return aheadSince.map { now - $0 >= Self.patience } ?? false ? ask(now) : []
    }

    /// Another journal, or numbers that went back: the home was restored.
    private mutating func restart(_ now: Int64) -> [Action] {
        complete = nil
        shown = []
        waiting = []
        return [.restarted] + ask(now)
    }
}

/// What `tail` asks a replay endpoint.
enum TailRequest: Equatable, Sendable {
    case snapshot(prefix: String)
    case replay(after: Int64, prefix: String)

    var frames: [Frame] {
        switch self {
        case .snapshot(let prefix): ["SNAPSHOT", prefix].map { Frame($0.utf8) }
        case .replay(let after, let prefix): ["REPLAY", "\(after)", prefix].map { Frame($0.utf8) }
        }
    }
}
