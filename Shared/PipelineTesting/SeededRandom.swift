/// A generator whose every value follows from its seed (SplitMix64), so that a run can be repeated exactly.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator for `seed`; equal seeds give equal sequences.
    public init(seed: UInt64) {
        // Mixed first: the states of neighbouring seeds must not lie on each other's sequence.
        state = Self.mixed(seed ^ 0x1234_5678_9ABC_DEF1)
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A value in `0 ..< bound`; `bound` is at least 1.
    public mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next() >> 1) % bound
    }

    /// A value of a closed range.
    public mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// True `permille` times of a thousand.
    public mutating func chance(_ permille: Int) -> Bool {
        below(1000) < permille
    }

    /// One of `choices`, which is not empty.
    public mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[below(choices.count)]
    }

    /// A generator of its own for one part of a run, so that a part that draws more does not shift the others.
    public mutating func fork() -> SeededRandom {
        SeededRandom(seed: next())
    }
}
