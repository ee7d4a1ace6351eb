/// What protects the people behind released figures. Tests weaken a rule to see the attack that it defeats succeed.
public struct ReleaseRules: Sendable, Equatable {
    /// Least devices of an atom.
    public var k: Int
    /// Least devices of a bin of an atom's histogram: five, or half of k where that is more.
    package var binDevices: Int
    /// Whether counts of devices and samples are told as bands only.
    package var tellsBands: Bool
    /// Whether steps are at percents that follow from the band of devices alone.
    package var fixesPercents: Bool

    /// The number of these rules; another number where any of them means something else.
    public static let profile = 2

    public init(k: Int, binDevices: Int? = nil, tellsBands: Bool = true, fixesPercents: Bool = true) {
        self.k = k
        self.binDevices = binDevices ?? max(5, k / 2)
        self.tellsBands = tellsBands
        self.fixesPercents = fixesPercents
    }

    /// At which percents of the weight an atom may have steps, ascending. In each band five devices lie between two of them as soon as
    /// each device has a sample in a bin of its own, so that no number of the band looks unlike the others.
    package func percents(devices: Int64) -> [Int64] {
        let all: ClosedRange<Int64> = 1...99
        if !fixesPercents { return Array(all) }
        switch devices {
        case ..<20: return [50]
        case ..<50: return [25, 50, 75]
        case ..<100: return [10, 25, 50, 75, 90]
        case ..<500: return all.filter { $0 % 5 == 0 }
        default: return all.filter { $0 % 5 == 0 || $0 % 2 == 0 }
        }
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
