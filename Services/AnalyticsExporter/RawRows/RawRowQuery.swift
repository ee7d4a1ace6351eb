internal import Models
internal import Wire

/// Which raw rows are asked for.
struct RawRowQuery: Equatable {
    /// Names of the parameters.
    static let parameters = ["from", "to", "plmn", "kind", "limit", "cursor"]

    /// Captured within it.
    let period: Range<UnixMilliseconds>
    /// SIM's or serving network.
    let plmn: PLMN?
    let kind: RecordKind?
    /// At most so many rows.
    let limit: Int
    /// Rows after it.
    let cursor: RawRowCursor

    init(_ parameters: QueryParameters) throws(ParameterFault) {
        period = try parameters.period(from: 0, to: .max)
        plmn = try parameters.plmn("plmn")
        let name = try parameters.choice("kind", of: Self.kinds.map(\.name))
        kind = Self.kinds.first { $0.name == name }
        limit = try parameters.integer("limit", in: 1...Int.max) ?? .max
        cursor =
            try parameters.text("cursor").map { text throws(ParameterFault) in try RawRowCursor(text: text) } ?? .start
    }

    /// The kinds that are raw rows.
    static let kinds = [RecordKind.report, .feedback]

    /// The rows of a block that are asked for, ascending.
    func rows(of block: StoredBlock) -> [Int] {
        let first = block.sequence == cursor.sequence ? cursor.row + 1 : 0
        guard first < block.columns.rowCount else { return [] }
        let captured = block.columns[ColumnID.capturedAt]
        let networks = plmn.map { _ in NetworkColumns(block.columns) }
        return (first..<block.columns.rowCount).filter { row in
            let time = captured?.integer(row) ?? 0
            guard period.contains(time) else { return false }
            guard let plmn, let networks else { return true }
            return networks.contains(plmn, row: row)
        }
    }
}
