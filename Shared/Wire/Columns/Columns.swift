/// A table: columns of equal row count, ascending by id.
///
/// Knows nothing of record kinds; columns it has never heard of are kept and handed on.
public struct Columns: Sendable, Equatable {
    /// Rows of every column.
    public internal(set) var rowCount: Int
    /// The columns, ascending by id.
    public internal(set) var columns: [Column]

    /// A table of columns with distinct ids in any order; traps if a column does not have `rowCount` rows.
    public init(rowCount: Int, columns: [Column] = []) {
        precondition(rowCount >= 0, "a table has no negative number of rows")
        self.rowCount = rowCount
        self.columns = columns
        if !Columns.isAscending(columns) { self.columns.sort { $0.id < $1.id } }
        precondition(Columns.isAscending(self.columns), "two columns have the same id")
        precondition(columns.allSatisfy { $0.hasShape(rowCount: rowCount) }, "a column does not have the table's rows")
    }

    init(checkedRowCount rowCount: Int, ascendingColumns columns: [Column]) {
        self.rowCount = rowCount
        self.columns = columns
    }

    /// Bytes of memory that the values take.
    public var byteCount: Int {
        columns.reduce(0) { $0 + $1.bytes.count + 8 * $1.integers.count + 4 * $1.ends.count }
    }

    /// The column with an id; a search, so look columns up once a block, not once a row.
    public subscript(id: UInt8) -> Column? {
        columns.first { $0.id == id }
    }

    /// Adds rows of `other` at the end, all of them or those of `rows` in their order.
    ///
    /// Columns that only one side has are absent in the rows of the other. Traps if a column holds integers on one
    /// side and bytes on the other, which no version of a kind may do.
    public mutating func append(_ other: Columns, rows: [Int32]? = nil) {
        if rowCount == 0 && columns.isEmpty {
            self = rows.map(other.gathered) ?? other
            return
        }
        if rows == nil && columns.elementsEqual(other.columns, by: { $0.id == $1.id }) {
            for place in columns.indices { columns[place].append(other.columns[place]) }
            rowCount += other.rowCount
        } else {
            merge(other, rows)
        }
    }

    /// Adds rows of a table that may have other columns.
    private mutating func merge(_ other: Columns, _ rows: [Int32]?) {
        let added = rows?.count ?? other.rowCount
        var merged: [Column] = []
        merged.reserveCapacity(max(columns.count, other.columns.count))
        var mine = ColumnCursor(columns), theirs = ColumnCursor(other.columns)
        columns = []
        while mine.id != nil || theirs.id != nil {
            let id = min(mine.id ?? .max, theirs.id ?? .max)
            let addition = theirs.take(id).map { column in rows.map(column.gathered) ?? column }
            if var column = mine.take(id) {
                if let addition { column.append(addition) } else { column.appendAbsent(added) }
                merged.append(column)
            } else if let addition {
                var column = Column.absent(id: id, encoding: addition.encoding, rowCount: rowCount)
                column.append(addition)
                merged.append(column)
            }
        }
        columns = merged
        rowCount += added
    }

    /// The table whose row `i` is this table's row `rows[i]`.
    public func gathered(_ rows: [Int32]) -> Columns {
        Columns(checkedRowCount: rows.count, ascendingColumns: columns.map { $0.gathered(rows) })
    }

    /// The table without a column.
    public func dropping(_ column: UInt8) -> Columns {
        Columns(checkedRowCount: rowCount, ascendingColumns: columns.filter { $0.id != column })
    }

    private static func isAscending(_ columns: [Column]) -> Bool {
        zip(columns, columns.dropFirst()).allSatisfy { $0.id < $1.id }
    }
}

/// Hands columns out in order of their ids, giving up its own reference so that they can grow in place.
private struct ColumnCursor {
    private var reversed: [Column]

    init(_ columns: [Column]) { reversed = columns.reversed() }

    var id: UInt8? { reversed.last?.id }

    mutating func take(_ id: UInt8) -> Column? {
        reversed.last?.id == id ? reversed.removeLast() : nil
    }
}
