internal import Models

/// How the provider is called: so many calls a second and at once, none while it does not answer, no orders while nothing is left to
/// pay from. Pure.
///
/// Its time is that of a clock that only rises, in milliseconds.
struct ProviderPace {
    private let callsAtOnce: Int
    private var rate: CallRate
    private var breaker: CircuitBreaker
    private var gate = FloatGate()

    /// - Parameters:
    ///   - callsAtOnce: calls under way at the same time.
    ///   - callsPerSecond: 0 is without limit.
    ///   - breaker: calls in a row that nobody may answer; 0 never opens.
    init(callsAtOnce: Int, callsPerSecond: Int, breaker: Int, at time: Int64) {
        self.callsAtOnce = callsAtOnce
        rate = CallRate(perSecond: callsPerSecond, at: time)
        self.breaker = CircuitBreaker(most: breaker)
    }

    /// It is left alone, as it does not answer.
    var isSilent: Bool { breaker.isOpen }

    /// No orders are given, as nothing was left to pay from.
    var isUnfunded: Bool { gate.isShut }

    mutating func note(_ call: ProviderCall, _ answer: ProviderAnswer, at time: Int64) {
        breaker.note(answer, at: time)
        gate.note(call, answer, at: time)
    }

    /// Somebody has looked what is left, whole XAF; true if orders are given again because of it.
    mutating func note(left: Int64) -> Bool { gate.note(left: left) }

    /// True if nothing is called before an answer has come.
    ///
    /// - Parameter calls: that are under way.
    func isFull(_ calls: Int) -> Bool { calls >= (breaker.isOpen ? 1 : callsAtOnce) }

    /// Calls that may still be made.
    mutating func room(beside calls: Int, at time: Int64) -> Int {
        let free = min(max(callsAtOnce - calls, 0), rate.room(at: time))
        return breaker.room(free, underWay: calls, at: time)
    }

    /// Whether one more order may be given; one that may is counted.
    mutating func admitsOrder(at time: Int64) -> Bool { gate.admits(at: time) }

    /// How long orders wait at least, milliseconds.
    func orderPause(at time: Int64) -> Int64 { max((gate.shutUntil ?? time) - time, 0) }

    /// Calls were made: how long there are none, milliseconds.
    mutating func take(_ calls: Int, at time: Int64) -> Int64 {
        rate.take(calls)
        return max(rate.pause, (breaker.openUntil ?? time) - time)
    }
}
