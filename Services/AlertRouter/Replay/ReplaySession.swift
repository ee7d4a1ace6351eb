internal import ZeroMQ

/// The answer to one peer's request, on its way.
struct ReplaySession {
    /// What the session wants done.
    enum Step: Equatable {
        case read(ReplayRequest, ReplayPage.Next?)
        case send([Frame])
        /// A page is being read.
        case wait
        case finished
    }

    let request: ReplayRequest
    /// Told apart from an earlier request of the same peer.
    let number: Int
    private var page: ReplayPage?
    private var sent = 0
    private var isReading = false
    private var isEnded = false

    init(_ request: ReplayRequest, number: Int) {
        self.request = request
        self.number = number
    }

    /// What to do next; asked again after each `send` that succeeded, reported by ``advance()``.
    var step: Step {
        if isEnded { return .finished }
        if isReading { return .wait }
        guard let page else { return .read(request, nil) }
        if sent < page.messages.count { return .send(page.messages[sent].frames) }
        if let next = page.next { return .read(request, next) }
        return .send([Frame("END".utf8), Frame("\(page.last)".utf8)])
    }

    mutating func beginReading() { isReading = true }

    mutating func take(_ page: ReplayPage) {
        self.page = page
        sent = 0
        isReading = false
    }

    /// The frames of the last `send` step are on their way.
    mutating func advance() {
        guard let page else { return }
        if sent < page.messages.count { sent += 1 } else { isEnded = true }
    }
}

/// What a subscriber may ask a replay endpoint.
enum ReplayRequest: Equatable, Sendable {
    /// The last message of every alarm.
    case snapshot(prefix: [UInt8])
    /// Every message after a number.
    case replay(after: Int64, prefix: [UInt8])

    /// A topic longer than this does not exist.
    static let longestPrefix = 256

    /// Reads `["SNAPSHOT", prefix]` or `["REPLAY", after-seq, prefix]`; nil for anything else.
    init?(_ frames: ArraySlice<[UInt8]>) {
        guard let verb = frames.first, let prefix = frames.last, prefix.count <= Self.longestPrefix else { return nil }
        switch (String(decoding: verb, as: UTF8.self), frames.count) {
        case ("SNAPSHOT", 2): self = .snapshot(prefix: prefix)
        case ("REPLAY", 3):
            let digits = String(decoding: frames[frames.startIndex + 1], as: UTF8.self)
            guard let after = Int64(digits), after >= 0 else { return nil }
            self = .replay(after: after, prefix: prefix)
        default: return nil
        }
    }

    var prefix: [UInt8] {
        switch self {
        case .snapshot(let prefix), .replay(_, let prefix): prefix
        }
    }
}
