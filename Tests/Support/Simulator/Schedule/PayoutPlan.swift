/// Who says where rewards go: drawn from the seed, in most worlds nobody.
struct PayoutPlan {
    struct Wish {
        let phone: Int
        /// Milliseconds after the begin of the run.
        let at: Int64
        /// E.164.
        let number: String
    }

    /// Thousandths of worlds in which somebody does.
    private static let share = 300

    /// No more than devices that one number may pay.
    let wishes: [Wish]

    init?(seed: UInt64, phones: Int, span: Int64) {
        // Of its own, so that what is drawn here shifts nothing else of a seed.
        var random = SeededRandom(seed: seed &* 524_287 &+ 17)
        guard random.chance(Self.share) else { return nil }
        wishes = (0..<random.within(1...3)).map { _ in
            Wish(
                phone: random.below(phones), at: Int64(random.within(500...Int(span))),
                number: "+23767000000\(random.below(3))")
        }
    }
}
