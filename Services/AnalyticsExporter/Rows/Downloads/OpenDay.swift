internal import GRDB
internal import Models
internal import Storage

/// A day file that a query reads, with the next few of its blocks.
struct OpenDay {
    private let layout: RawRowLayout
    let day: String
    let connection: ReadOnlyDatabase
    private let last: Int64
    private var from: Int64
    private var rows: ArraySlice<StoredRow> = []

    /// - Parameter layout: of its files.
    init(_ layout: RawRowLayout, span: RawRowIndex.Span, connection: ReadOnlyDatabase, from: Int64) {
        self.layout = layout
        day = span.day
        self.connection = connection
        last = span.sequences.upperBound
        self.from = from
    }

    var isEmpty: Bool { rows.isEmpty }

    /// Place of the last block that was fetched and not taken.
    var fetched: Int64? { rows.last?.sequence }

    /// Place of the next block; call only if there is one.
    var first: Int64 { rows.first!.sequence }

    mutating func takeFirst() -> StoredRow { rows.removeFirst() }

    /// Fetches the next blocks that may have rows of the query; false if there are none.
    mutating func fetch(_ query: RawRowQuery) throws -> Bool {
        let arguments: StatementArguments = [
            from, last, query.period.lowerBound, query.period.upperBound, query.kind.map { Int64($0.id) },
            RawRowReader.batch,
        ]
        let day = day, layout = layout
        let fetched = try connection.read { db in
            try Row.fetchAll(db, sql: Self.sql(layout), arguments: arguments).map {
                try StoredRow($0, day: day, layout)
            }
        }
        rows = fetched[...]
        from = (fetched.last?.sequence ?? last) + 1
        return !fetched.isEmpty
    }

    private static func sql(_ layout: RawRowLayout) -> String {
        """
        SELECT \(StoredRow.columns) FROM \(StoredRow.from)
        WHERE b.sequence BETWEEN ?1 AND ?2 AND b.captured_to >= ?3 AND b.captured_from < ?4
            AND b.kind IN (\(layout.kindList)) AND (?5 IS NULL OR b.kind = ?5)
        ORDER BY b.sequence LIMIT ?6
        """
    }
}
