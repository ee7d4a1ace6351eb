/// Numbers that depend on a seed and a name only (SplitMix64 over FNV-1a), so that files may come in any order.
struct SeededRandom {
    private var state: UInt64

    init(seed: UInt64, name: String) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        state = hash ^ seed &* 0x9e37_79b9_7f4a_7c15
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// The index of one of the weights, each as likely as its share of the sum (which is above 0).
    mutating func index(weights: [UInt64]) -> Int {
        var rest = next() % weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            if rest < weight { return index }
            rest -= weight
        }
        return weights.count - 1
    }
}
