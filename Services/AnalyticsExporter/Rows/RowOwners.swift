package import ExporterSupport
package import Models
package import Wire

/// The columns of a block that say whose its rows are, and whether they are shared.
package struct RowOwners {
    private let scope: RowScope
    private let mcc: Column?
    private let mnc: Column?
    private let servingMCC: Column?
    private let servingMNC: Column?
    private let number: Column?
    private let flags: Column?

    /// - Parameter scope: of the block's kind.
    package init(_ columns: Columns, _ scope: RowScope) {
        self.scope = scope
        mcc = columns[ColumnID.mcc]
        mnc = columns[ColumnID.mnc]
        servingMCC = columns[ColumnID.servingMCC]
        servingMNC = columns[ColumnID.servingMNC]
        number = if case .number(_, let column) = scope { columns[column] } else { nil }
        flags = columns[ColumnID.flags]
    }

    /// The columns that it looks at.
    static func ids(_ scope: RowScope) -> Set<UInt8> { Set(scope.columns).union([ColumnID.flags]) }

    /// The first owner: the network of the SIM, or what the number stands for; 0 if it is not known.
    package func first(_ row: Int) -> Int64 {
        switch scope {
        case .networks: PLMN(mcc: mcc?.integer(row), mnc: mnc?.integer(row)).rawValue
        case .number: number?.integer(row) ?? 0
        }
    }

    /// The second owner: the network that serves the phone; the first one unless the row names another.
    func second(_ row: Int) -> Int64 {
        let serving = PLMN(mcc: servingMCC?.integer(row), mnc: servingMNC?.integer(row))
        return scope != .networks || serving == .unknown ? first(row) : serving.rawValue
    }

    /// Whether a row is in scope: by either of its owners.
    func isIn(_ wanted: NetworkScope, row: Int) -> Bool {
        wanted == .everything || wanted.contains(first(row), of: scope) || wanted.contains(second(row), of: scope)
    }

    /// Whether its subscriber shares a row with operators.
    func isShared(_ row: Int) -> Bool {
        !RowFlags(rawValue: flags?.integer(row) ?? 0).contains(.notForOperators)
    }

    /// Whether a row is among those that a tenant of a scope may download: only who sees everything sees what is not shared.
    package func isShown(_ row: Int, to wanted: NetworkScope) -> Bool {
        isIn(wanted, row: row) && (wanted == .everything || isShared(row))
    }

    /// All owners of the first `rowCount` rows, ascending; nil if there are more than `limit`.
    func distinct(rowCount: Int, limit: Int) -> [Int64]? {
        if let simple = distinctOfSIM(limit: limit) { return simple }
        var found: Set<Int64> = []
        var last: (Int64, Int64)?
        for row in 0..<rowCount {
            let pair = (first(row), second(row))
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
    private func distinctOfSIM(limit: Int) -> [Int64]? {
        guard scope == .networks, servingMCC == nil || servingMNC == nil, let mcc, let mnc, mcc.presence.isFull,
            mnc.presence.isFull
        else {
            return nil
        }
        var found: Set<Int64> = []
        var last: Int64 = -1
        for (country, network) in zip(mcc.integers, mnc.integers) where country * 1000 + network != last {
            last = country * 1000 + network
            found.insert(last)
            if found.count > limit { return nil }
        }
        return found.sorted()
    }
}
