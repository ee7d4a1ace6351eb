/// The decisions of a latency echo: what goes back, and when it is over. Times are nanoseconds since its beginning. No channel or
/// clock inside.
struct EchoCore {
    /// Most bytes of a message.
    static let messageBytes = 125
    /// Messages that may come at once, and in a second in the long run.
    static let burst = 50
    static let perSecond = 50
    /// How long an echo lasts: a test of both directions, with what is idle before it.
    static let longest: Int64 = 60_000_000_000

    enum Verdict: Equatable {
        case echo
        /// To be closed with this status code.
        case close(UInt16)
    }

    /// Messages that were sent back.
    private(set) var echoed = 0
    private var allowance = Double(Self.burst)
    private var since: Int64 = 0

    /// What becomes of a message.
    mutating func take(bytes: Int, at time: Int64) -> Verdict {
        guard bytes <= Self.messageBytes else { return .close(1009) }
        guard !isOver(at: time) else { return .close(1000) }
        allowance = min(Double(Self.burst), allowance + Double(time - since) / 1e9 * Double(Self.perSecond))
        since = time
        guard allowance >= 1 else { return .close(1008) }
        allowance -= 1
        echoed += 1
        return .echo
    }

    func isOver(at time: Int64) -> Bool { time >= Self.longest }
}
