/// What a rule asks of every row, without the references that a rule has: most rows go no further.
struct RowTest: Sendable {
    /// Numbers of the kinds whose rows count, by bit.
    private var kinds: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private let hasMetric: Bool
    private let column: UInt8
    private let bad: RuleMetric.Bad
    private let strata: UInt64
    let isOfSIM: Bool
    let isCounting: Bool
    let isOfCells: Bool
    let hasHours: Bool
    /// True if only some owners or places are in scope.
    let isNarrow: Bool

    init(_ rule: AlarmRule) {
        hasMetric = rule.metric != nil
        column = rule.metric?.column ?? 0
        bad = rule.metric?.bad ?? .none
        isOfSIM = rule.metric?.isOfSIM ?? true
        strata = rule.scope.strata
        isCounting = rule.kind.isCounting
        if case .cells = rule.subject { isOfCells = true } else { isOfCells = false }
        hasHours = rule.scope.hours != nil
        isNarrow = rule.scope.owners != nil || rule.scope.place != .everywhere
        for kind in rule.recordKinds { add(kind) }
    }

    private mutating func add(_ kind: UInt8) {
        let bit: UInt64 = 1 << UInt64(kind & 63)
        switch kind >> 6 {
        case 0: kinds.0 |= bit
        case 1: kinds.1 |= bit
        case 2: kinds.2 |= bit
        default: kinds.3 |= bit
        }
    }

    private func counts(_ kind: UInt8) -> Bool {
        let word =
            switch kind >> 6 {
            case 0: kinds.0
            case 1: kinds.1
            case 2: kinds.2
            default: kinds.3
            }
        return word >> UInt64(kind & 63) & 1 == 1
    }

    /// What a row says; nil if nothing.
    func verdict(_ row: RuleRow, _ value: (_ column: UInt8) -> Int64?) -> Verdict? {
        guard counts(row.kind) else { return nil }
        return hasMetric ? bad.verdict(value(column), hasNetwork: row.hasNetwork) : .good
    }

    /// Whether its stratum is in scope.
    func sees(_ row: RuleRow) -> Bool {
        row.stratum >= 64 ? strata == .max : strata >> UInt64(row.stratum) & 1 == 1
    }
}
