internal import Models

/// A generator whose every value follows from its seed, so that a run can be repeated exactly.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var source: SplitMix64

    /// A generator for `seed`; equal seeds give equal sequences.
    public init(seed: UInt64) {
        // Mixed first: the states of neighbouring seeds must not lie on each other's sequence.
        source = SplitMix64(seed: SplitMix64.mixed(seed ^ 0x1234_5678_9ABC_DEF1))
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 { source.next() }

    /// A value in `0 ..< bound`; `bound` is at least 1.
    public mutating func below(_ bound: Int) -> Int { source.below(bound) }

    /// A value of a closed range.
    public mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// True `permille` times of a thousand.
    public mutating func chance(_ permille: Int) -> Bool {
        below(1000) < permille
    }

    /// One of `choices`, which is not empty.
    public mutating func pick<Choice>(_ choices: [Choice]) -> Choice { source.pick(choices) }

    /// A generator of its own for one part of a run, so that a part that draws more does not shift the others.
    public mutating func fork() -> SeededRandom {
        SeededRandom(seed: next())
    }
}
