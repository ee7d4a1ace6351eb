import Models

/// Chance that belongs to a place instead of a moment: the same numbers give the same value, in any order of asking.
struct WorldNoise: Sendable {
    let seed: UInt64

    /// Uniform in 0 ..< 1.
    func unit(_ first: Int, _ second: Int, _ third: Int) -> Double {
        Double(bits(first, second, third) >> 11) * 0x1p-53
    }

    /// Near enough to normal with mean 0 and deviation 1: the sum of four uniform values, so never beyond ±3.47.
    func normal(_ first: Int, _ second: Int, _ third: Int) -> Double {
        let bits = bits(first, second, third)
        let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48)
        return (Double(sum) / 65_536 - 2) * 1.732_050_8
    }

    private func bits(_ first: Int, _ second: Int, _ third: Int) -> UInt64 {
        var state = Self.mixed(seed &+ 0x9e37_79b9_7f4a_7c15)
        state = Self.mixed(state ^ UInt64(bitPattern: Int64(first)))
        state = Self.mixed(state ^ UInt64(bitPattern: Int64(second)))
        return Self.mixed(state ^ UInt64(bitPattern: Int64(third)))
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var random = SplitMix64(seed: value)
        return random.next()
    }
}
