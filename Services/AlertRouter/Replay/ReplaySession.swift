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
