internal import Models
internal import Wire

/// Whose the rows of a block are, by the scope that their kind declares. Columns are looked up once a block.
enum RowOwner {
    case networks(mcc: Column?, mnc: Column?, servingMCC: Column?, servingMNC: Column?)
    case number(scheme: String, Column?)

    init(_ scope: RowScope, _ columns: Columns) {
        switch scope {
        case .networks:
            self = .networks(
                mcc: columns[ColumnID.mcc], mnc: columns[ColumnID.mnc], servingMCC: columns[ColumnID.servingMCC],
                servingMNC: columns[ColumnID.servingMNC])
        case .number(let scheme, let column): self = .number(scheme: scheme, columns[column])
        }
    }

    /// The network of the SIM, or what the number names; a number outside the range of scopes is an unknown owner.
    func owner(_ row: Int) -> Scope {
        switch self {
        case .networks(let mcc, let mnc, _, _):
            return Scope(PLMN(mcc: mcc?.integer(row), mnc: mnc?.integer(row)))
        case .number(let scheme, let column):
            let number = column?.integer(row) ?? 0
            return Scope(scheme: scheme, number: Scope.numbers.contains(number) ? number : 0)
        }
    }

    /// The network that served the phone where that is known and another one than the SIM's.
    func serving(_ row: Int, besides owner: Scope) -> PLMN? {
        guard case .networks(_, _, let mcc, let mnc) = self else { return nil }
        let serving = PLMN(mcc: mcc?.integer(row), mnc: mnc?.integer(row))
        return serving == .unknown || serving.rawValue == owner.number ? nil : serving
    }
}
