/// What a rule measures by: a column, and which of its values are bad.
public struct RuleMetric: Sendable, Hashable {
    /// Which values are bad, in stored units.
    public enum Bad: Sendable, Hashable {
        case below(Int64)
        case above(Int64)
        /// Codes of a choice, by bit.
        case codes(UInt64)
        /// None: the value itself counts.
        case none
    }

    public let name: String
    public let column: UInt8
    public let bad: Bad
    /// Stored units per natural unit.
    public let scale: Int64
    /// True if it counts for the network of the SIM, false if for the one that serves.
    public let isOfSIM: Bool
}

extension RuleMetric.Bad {
    /// What a row says by it; nil if nothing.
    ///
    /// - Parameter hasNetwork: a row without an event says that nothing bad happened only if its phone had a network.
    func verdict(_ value: Int64?, hasNetwork: Bool) -> Verdict? {
        switch self {
        case .below(let threshold): value.map { $0 < threshold ? .bad : .good }
        case .above(let threshold): value.map { $0 > threshold ? .bad : .good }
        case .codes(let codes):
            if let value {
                (0..<64).contains(value) && codes >> UInt64(value) & 1 == 1 ? .bad : .good
            } else {
                hasNetwork ? .good : nil
            }
        case .none: value.map { Verdict(rawValue: UInt16(clamping: $0)) }
        }
    }
}

/// What a row says to a rule: good or bad, or, where ratings are compared, the value.
struct Verdict: Hashable {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    static let bad = Verdict(rawValue: 0)
    static let good = Verdict(rawValue: 1)
}
