/// Whether orders are given: not for a while once the provider had nothing left to pay from, and then one at a time, until one is
/// paid or somebody has seen that there is enough again. Questions are asked all the time. Pure.
///
///     open ──nothing left──▶ shut ──pause is over──▶ one order ──▶ shut for twice the pause
///                             │                          └──paid──▶ open
///                             └──enough is left again──▶ open
///
/// Its time is that of a clock that only rises, in milliseconds.
struct FloatGate {
    static let firstPause: Int64 = 60_000
    static let longestPause: Int64 = 900_000

    private var pause = firstPause
    /// What the orders that were not paid would have cost at most.
    private var needed: Int64 = 0
    /// Until when no order is given; nil while it is open.
    private(set) var shutUntil: Int64?

    var isShut: Bool { shutUntil != nil }

    mutating func note(_ call: ProviderCall, _ answer: ProviderAnswer, at now: Int64) {
        switch answer {
        case .unfunded:
            needed = max(needed, call.amount)
            guard shutUntil == nil else { return }
            pause = Self.firstPause
            shutUntil = now + pause
        // What is settled already is asked about, too, and says nothing of what is left. What was taken up may not be paid.
        case .confirmed where call.quietMilliseconds < Self.longestPause: open()
        default: break
        }
    }

    /// Somebody has looked what is left, whole XAF; true if orders are given again because of it.
    mutating func note(left: Int64) -> Bool {
        guard isShut, left > 0, left >= needed else { return false }
        open()
        return true
    }

    /// Whether an order may be given now; one that may is counted.
    mutating func admits(at now: Int64) -> Bool {
        guard let shutUntil else { return true }
        guard now >= shutUntil else { return false }
        pause = min(2 * pause, Self.longestPause)
        self.shutUntil = now + pause
        return true
    }

    private mutating func open() {
        shutUntil = nil
        needed = 0
    }
}
