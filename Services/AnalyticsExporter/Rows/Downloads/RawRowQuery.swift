package import ExporterSupport
internal import Models
internal import Wire

/// Which raw rows are asked for.
package struct RawRowQuery {
    /// Names of the parameters.
    package static let parameters = ["from", "to", "plmn", "kind", "limit", "cursor"]

    let layout: RawRowLayout
    /// Captured within it.
    let period: Range<UnixMilliseconds>
    /// Rows that belong to it.
    let networks: NetworkScope
    /// Whether rows are left out whose subscribers do not share them with operators: for everybody but a regulator.
    let isSharedOnly: Bool
    let kind: RecordKind?
    /// At most so many rows.
    let limit: Int
    /// Rows after it.
    package let cursor: RawRowCursor

    /// - Parameters:
    ///   - layout: the kinds that there are.
    ///   - scope: what the caller may see.
    /// - Throws: ``ParameterFault``; ``ExporterAPIError`` for a network outside the scope.
    package init(_ parameters: QueryParameters, _ layout: RawRowLayout, scope: NetworkScope) throws {
        self.layout = layout
        period = try parameters.period(from: 0, to: .max)
        isSharedOnly = scope != .everything
        networks = try scope.narrowed(to: try parameters.plmn("plmn"))
        let name = try parameters.choice("kind", of: layout.kinds.map(\.name))
        kind = layout.kinds.first { $0.name == name }
        limit = try parameters.integer("limit", in: 1...Int.max) ?? .max
        cursor =
            try parameters.text("cursor").map { text throws(ParameterFault) in try RawRowCursor(text: text) } ?? .start
    }

    /// All rows of a kind in a period that a caller may see.
    ///
    /// - Parameters:
    ///   - scope: what the caller may see at all.
    ///   - networks: what is asked for of that.
    init(
        _ layout: RawRowLayout, _ kind: RecordKind, _ period: Range<UnixMilliseconds>, scope: NetworkScope,
        networks: NetworkScope
    ) {
        self.layout = layout
        self.period = period
        self.networks = networks
        isSharedOnly = scope != .everything
        self.kind = kind
        limit = .max
        cursor = .start
    }

    /// The rows of a block that are asked for, ascending.
    func rows(of block: StoredBlock) -> [Int] {
        let first = block.sequence == cursor.sequence ? block.firstRow(after: cursor.row) : 0
        guard first < block.columns.rowCount else { return [] }
        let captured = block.columns[ColumnID.capturedAt]
        let ofBlock = RowOwners(block.columns, layout.scope(of: block.kind.id))
        return (first..<block.columns.rowCount).filter { row in
            let time = captured?.integer(row) ?? 0
            guard period.contains(time) else { return false }
            return ofBlock.isIn(networks, row: row) && (!isSharedOnly || ofBlock.isShared(row))
        }
    }
}

/// The place of one raw row, as clients hold it: `<sequence>-<row>`; what is asked for after it continues exactly there.
package struct RawRowCursor: Equatable, Comparable {
    /// Place of the block in the order of arrival.
    let sequence: Int64
    /// Row within it; −1 stands before the first.
    let row: Int

    /// Before everything.
    static let start = RawRowCursor(sequence: 0, row: -1)

    init(sequence: Int64, row: Int) {
        self.sequence = sequence
        self.row = row
    }

    /// Reads a cursor that a client gives back.
    init(text: String) throws(ParameterFault) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = Int64(parts[0]), let row = Int(parts[1]), sequence >= 0, row >= 0 else {
            throw ParameterFault("cursor", "\"\(text)\": expected the value of column cursor of the last row received")
        }
        self.init(sequence: sequence, row: row)
    }

    package static func < (left: Self, right: Self) -> Bool { (left.sequence, left.row) < (right.sequence, right.row) }
}
