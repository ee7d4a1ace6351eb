/// How a world makes releases: drawn from the seed, in most worlds not at all.
struct ReleasesPlan {
    /// Thousandths of the worlds in which time passes that is enough for one.
    private static let share = 400

    /// Least devices of an atom; few meet in a world.
    let k: Int
    let trust: ReferenceTrustPolicy
    /// By which devices are divided among classes.
    let root: [UInt8]

    init?(seed: UInt64) {
        // Of its own, so that what is drawn here shifts nothing else of a seed.
        var random = SeededRandom(seed: seed &* 229 &+ 43)
        guard random.chance(Self.share) else { return nil }
        k = random.pick([1, 1, 2])
        trust = random.pick([.any, .any, .aged])
        root = (0..<32).map { _ in UInt8(random.below(256)) }
    }
}
