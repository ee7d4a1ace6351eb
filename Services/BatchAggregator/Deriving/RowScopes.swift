import AggregatorCells
import Models
import Wire

/// The scopes that rows count for: of mobile networks that of the SIM, and the one that serves, if the phone is registered
/// elsewhere; of others the number in the column of the scheme.
struct RowScopes {
    /// Column `scope` and, if any row has two networks, column `simPLMN`.
    let columns: [Column]

    /// - Parameter scope: of the rows' kind.
    init(_ columns: Columns, _ scope: RowScope) {
        switch scope {
        case .networks: self.columns = Self.networks(columns)
        case .number(_, let column): self.columns = [Self.numbers(columns, column)]
        }
    }

    /// 0 where there is none; ingest has checked that numbers are those of scopes.
    private static func numbers(_ columns: Columns, _ id: UInt8) -> Column {
        let rowCount = columns.rowCount
        // Absent rows hold 0.
        let numbers = columns[id]?.integers ?? [Int64](repeating: 0, count: rowCount)
        return Column(id: OpenRowColumn.scope, presence: .full(rowCount), integers: numbers)
    }

    private static func networks(_ columns: Columns) -> [Column] {
        let rowCount = columns.rowCount
        let sim = codes(columns, ColumnID.mcc, ColumnID.mnc) ?? [Int64](repeating: 0, count: rowCount)
        var presence = RowSet.empty(rowCount)
        var serving = sim
        if let codes = codes(columns, ColumnID.servingMCC, ColumnID.servingMNC) {
            for row in 0..<rowCount where codes[row] != 0 && codes[row] != sim[row] {
                serving[row] = codes[row]
                presence[row] = true
            }
        }
        var result = [Column(id: OpenRowColumn.scope, presence: .full(rowCount), integers: serving)]
        if !presence.isEmpty {
            var others = sim
            for row in 0..<rowCount where !presence[row] { others[row] = 0 }
            result.append(Column(id: OpenRowColumn.simPLMN, presence: presence, integers: others))
        }
        return result
    }

    /// ``PLMN/rawValue`` of each row, 0 where one of the codes is missing; nil if all are.
    private static func codes(_ columns: Columns, _ country: UInt8, _ network: UInt8) -> [Int64]? {
        guard let country = columns[country], let network = columns[network] else { return nil }
        var codes = country.integers
        let isFull = country.presence.isFull && network.presence.isFull
        for row in codes.indices {
            let isKnown = isFull || (country.presence[row] && network.presence[row])
            codes[row] = isKnown ? PLMN(mcc: codes[row], mnc: network.integers[row]).rawValue : 0
        }
        return codes
    }
}
