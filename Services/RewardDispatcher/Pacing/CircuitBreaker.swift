/// Whether a provider is called at all: not for a while after so many calls in a row to which nobody answered, or to which it said
/// that it does not listen (401, 403, 429). Whatever else it answers shows that it is there, also if it helps nobody. Pure.
///
///     closed ──so many in a row unanswered──▶ open ──pause is over──▶ one call ──answered──▶ closed
///                                              ▲                         │
///                                              └──unanswered: twice the pause
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

    /// - Parameter most: calls in a row that nobody may answer; 0 never opens.
    init(most: Int) { self.most = most }

    var isOpen: Bool { openUntil != nil }

    mutating func note(_ answer: ProviderAnswer, at now: Int64) {
        switch answer {
        case .silent, .notTaken:
            failures += 1
            if let openUntil {
                // Calls that were made before it opened say nothing new.
                guard now >= openUntil else { return }
                pause = min(2 * pause, Self.longestPause)
                self.openUntil = now + pause
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
