/// Whether a provider is called at all: not for a while after so many calls in a row that brought nothing. Pure.
///
///     closed ──so many in a row bring nothing──▶ open ──pause is over──▶ one call ──brings something──▶ closed
///                                                 ▲                         │
///                                                 └──brings nothing: twice the pause
///
/// Its time is that of a clock that only rises, in milliseconds.
struct CircuitBreaker {
    static let firstPause: Int64 = 1_000
    static let longestPause: Int64 = 60_000

    private let most: Int
    private var failures = 0
    private var pause = firstPause
    /// Until when nobody calls; nil while it is closed.
    private(set) var openUntil: Int64?

    /// - Parameter most: calls in a row that may bring nothing; 0 never opens.
    init(most: Int) { self.most = most }

    var isOpen: Bool { openUntil != nil }

    mutating func note(_ answer: ProviderAnswer, at now: Int64) {
        switch answer {
        case .unknown, .notTaken:
            failures += 1
            if openUntil != nil {
                pause = min(2 * pause, Self.longestPause)
                openUntil = now + pause
            } else if most > 0, failures >= most {
                pause = Self.firstPause
                openUntil = now + pause
            }
        default:
            failures = 0
            openUntil = nil
        }
    }

    /// Of so many calls that could be made, those that may be: all, none, or one to see how the provider is.
    func room(_ calls: Int, underWay: Int, at now: Int64) -> Int {
        guard let openUntil else { return calls }
        return now < openUntil || underWay > 0 ? 0 : min(calls, 1)
    }
}
