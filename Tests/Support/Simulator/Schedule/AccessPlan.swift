/// Who asks for a copy of everything: drawn from the seed, in most worlds nobody.
struct AccessPlan {
    struct Wish {
        let phone: Int
        /// Milliseconds after the begin of the run.
        let at: Int64
    }

    /// Thousandths of worlds in which somebody asks.
    private static let share = 220
    private static let shareOfLostHomes = 600

    let wishes: [Wish]
    /// When all is over a day passes, in which copies end.
    let endsCopies: Bool

    init?(seed: UInt64, phones: Int, span: Int64, isHomeLost: Bool) {
        // Of its own, so that what is drawn here shifts nothing else of a seed.
        var random = SeededRandom(seed: seed &* 8191 &+ 11)
        guard random.chance(isHomeLost ? Self.shareOfLostHomes : Self.share) else { return nil }
        wishes = (0..<random.within(1...4)).map { _ in
            Wish(phone: random.below(phones), at: Int64(random.within(800...Int(span) + 1500)))
        }
        endsCopies = random.chance(500)
    }
}
