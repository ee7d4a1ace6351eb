internal import Models
internal import Wire

/// The rows of one commit that go to one lane, by kind.
struct LaneRows {
    private var tables: [(kind: RecordKind, columns: Columns)] = []

    /// Adds rows of an upload; nil: all.
    mutating func append(_ kind: RecordKind, _ columns: Columns, rows: [Int32]?) {
        if let rows, rows.isEmpty { return }
        if let index = tables.firstIndex(where: { $0.kind.id == kind.id }) {
            tables[index].columns.append(columns, rows: rows)
        } else {
            tables.append((kind, rows.map(columns.gathered) ?? columns))
        }
    }

    /// The rows with `received_at_ms`, which is that of the commit.
    func stamped(_ now: UnixMilliseconds) -> [(kind: RecordKind, columns: Columns)] {
        tables.map { kind, columns in
            let received = Column(
                id: ColumnID.receivedAt, encoding: .delta, presence: .full(columns.rowCount),
                integers: [Int64](repeating: now, count: columns.rowCount))
            return (kind, Columns(rowCount: columns.rowCount, columns: columns.columns + [received]))
        }
    }
}
