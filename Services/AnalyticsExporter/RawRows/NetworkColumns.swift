internal import Models
internal import Wire

/// The columns of a block that say whose network a row belongs to.
struct NetworkColumns {
    /// The columns it looks at.
    static let ids: Set<UInt8> = [
        ColumnID.mcc, ColumnID.mnc, ColumnID.servingMCC, ColumnID.servingMNC, ColumnID.flags,
    ]

    private let mcc: Column?
    private let mnc: Column?
    private let servingMCC: Column?
    private let servingMNC: Column?
    private let flags: Column?

    init(_ columns: Columns) {
        mcc = columns[ColumnID.mcc]
        mnc = columns[ColumnID.mnc]
        servingMCC = columns[ColumnID.servingMCC]
        servingMNC = columns[ColumnID.servingMNC]
        flags = columns[ColumnID.flags]
    }

    /// The network of the SIM.
    func sim(_ row: Int) -> PLMN { PLMN(mcc: mcc?.integer(row), mnc: mnc?.integer(row)) }

    /// The network that serves the phone; the SIM's unless the row names another.
    func serving(_ row: Int) -> PLMN {
        let serving = PLMN(mcc: servingMCC?.integer(row), mnc: servingMNC?.integer(row))
        return serving == .unknown ? sim(row) : serving
    }

    /// Whether a row is in scope: by its SIM or where it is registered.
    func isIn(_ scope: NetworkScope, row: Int) -> Bool {
        switch scope {
        case .everything: true
        case .only: scope.contains(sim(row)) || scope.contains(serving(row))
        }
    }

    /// Whether its subscriber shares a row with operators.
    func isShared(_ row: Int) -> Bool {
        !RowFlags(rawValue: flags?.integer(row) ?? 0).contains(.notForOperators)
    }

    /// Whether a row is among those that a tenant of a scope may download: only who sees everything sees what is not shared.
    func isShown(_ row: Int, to scope: NetworkScope) -> Bool {
        isIn(scope, row: row) && (scope == .everything || isShared(row))
    }

    /// All networks of the first `rowCount` rows, ascending; nil if there are more than `limit`.
    func distinct(rowCount: Int, limit: Int) -> [PLMN]? {
        if let simple = distinctOfSIM(limit: limit) { return simple }
        var found: Set<PLMN> = []
        var last: (PLMN, PLMN)?
        for row in 0..<rowCount {
            let pair = (sim(row), serving(row))
            if let last, last == pair { continue }
            last = pair
            found.insert(pair.0)
            found.insert(pair.1)
            if found.count > limit { return nil }
        }
        return found.sorted()
    }

    /// The common case in one pass over two arrays: every row names its SIM, none another network.
    ///
    /// - Returns: nil if it is not that case, or there are too many.
    private func distinctOfSIM(limit: Int) -> [PLMN]? {
        guard servingMCC == nil || servingMNC == nil, let mcc, let mnc, mcc.presence.isFull, mnc.presence.isFull else {
            return nil
        }
        var found: Set<Int64> = []
        var last: Int64 = -1
        for (country, network) in zip(mcc.integers, mnc.integers) where country * 1000 + network != last {
            last = country * 1000 + network
            found.insert(last)
            if found.count > limit { return nil }
        }
        return found.sorted().map(PLMN.init(rawValue:))
    }
}
