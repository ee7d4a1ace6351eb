/// Numbers that follow from a seed, for simulations, sandboxes and tests that can be repeated; never for secrets.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var state: UInt64

    /// A generator for `seed`; equal seeds give equal sequences.
    public init(seed: UInt64) { state = seed }

    /// A generator for `seed` and a name (FNV-1a), so that things may be drawn for in any order.
    public init(seed: UInt64, name: String) {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        state = hash ^ seed &* Self.step
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mixed(state)
    }

    /// A value in `0 ..< bound`; `bound` is at least 1.
    public mutating func below<Number: FixedWidthInteger>(_ bound: Number) -> Number {
        Number((next() >> 1) % UInt64(bound))
    }

    /// True `percent` times of a hundred.
    public mutating func chance(percent: Int) -> Bool { below(100) < percent }

    /// One of `choices`, which is not empty.
    public mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

    /// The bits of a value stirred, so that neighbouring values have nothing in common.
    public static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
