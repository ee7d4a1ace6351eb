/// Everybody sleeps for about as long as an alarm lasts without news.
struct PausePlan {
    /// Thousandths of the worlds that keep everything and lose no home.
    private static let share = 250
    /// Around an hour, and around the minute after it in which nothing is cleared.
    private static let lengths: [Int64] = [3_000_000, 3_590_000, 3_600_000, 3_640_000, 3_700_000, 7_300_000]

    /// Milliseconds after the begin of the run.
    let at: Int64
    let milliseconds: Int64

    static func random(seed: UInt64, span: Int64) -> [PausePlan] {
        // Of its own, so that what is drawn here shifts nothing else of a seed.
        var random = SeededRandom(seed: seed &* 67 &+ 11)
        guard random.chance(share) else { return [] }
        return (0..<random.within(1...3)).map { _ in
            PausePlan(at: Int64(random.within(1_000...Int(span))), milliseconds: random.pick(lengths))
        }
    }
}
