package import Models
package import Wire

/// Merges waiting rows of one lane, so that few large blocks are written instead of many small ones.
///
/// Rows of a kind keep their order; kinds keep the order in which they first came. Not thread-safe.
package struct BlockBuilder: Sendable {
    /// Rows from which waiting longer gains little: half a block of ordinary rows.
    package static let halfBlock = 1_024
    /// Rows waiting, of all kinds.
    package private(set) var rowCount = 0
    private var kinds: [RecordKind] = []
    private var tables: [Columns] = []

    package init() {}

    package var isEmpty: Bool { rowCount == 0 }
    /// True if a block is half full: no reason to linger.
    package var isHalfFull: Bool { rowCount >= Self.halfBlock }

    /// Adds all rows of a table, or the given ones.
    package mutating func append(kind: RecordKind, columns: Columns, rows: [Int32]? = nil) {
        let added = rows?.count ?? columns.rowCount
        guard added > 0 else { return }
        rowCount += added
        let place = kinds.firstIndex { $0.id == kind.id } ?? addPlace(for: kind)
        tables[place].append(columns, rows: rows)
    }

    /// The merged tables, one a kind; the builder is empty afterwards.
    package mutating func take() -> [(kind: RecordKind, columns: Columns)] {
        defer { self = BlockBuilder() }
        return zip(kinds, tables).map { (kind: $0, columns: $1) }
    }

    private mutating func addPlace(for kind: RecordKind) -> Int {
        kinds.append(kind)
        tables.append(Columns(rowCount: 0))
        return kinds.count - 1
    }
}
