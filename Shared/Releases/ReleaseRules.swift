/// What protects the people behind released figures. Tests weaken a rule to see the attack that it defeats succeed.
public struct ReleaseRules: Sendable, Equatable {
    /// Least devices of an atom.
    public var k: Int
    /// Least devices of a bin of an atom's histogram: five, or half of k where that is more.
    public var binDevices: Int
    /// Least share of an atom's weight in a bin, per cent: it keeps tables short.
    public var binPercent: Int64
    /// Whether counts of devices and samples are told as bands only.
    public var tellsBands: Bool

    /// The number of these rules; another number where any of them means something else.
    public static let profile = 1

    public init(k: Int, binDevices: Int? = nil, binPercent: Int64 = 2, tellsBands: Bool = true) {
        self.k = k
        self.binDevices = binDevices ?? max(5, k / 2)
        self.binPercent = binPercent
        self.tellsBands = tellsBands
    }
}

/// The bands by which counts are told: 1, 2–4, 5–9, 10–19, 20–49, 50–99, 100–199 and so on.
public enum CountBand {
    /// The band of a count above zero.
    public static func of(_ count: Int64) -> ClosedRange<Int64> {
        var decade: Int64 = 1
        while count >= 10 * decade { decade *= 10 }
        let first = count >= 5 * decade ? 5 : count >= 2 * decade ? 2 : 1
        let next = first == 5 ? 10 : first == 2 ? 5 : 2
        return Int64(first) * decade...Int64(next) * decade - 1
    }
}
