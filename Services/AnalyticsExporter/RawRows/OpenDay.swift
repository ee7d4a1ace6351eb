internal import GRDB
internal import Models
internal import Storage

/// A day file that a query reads, with the next few of its blocks.
struct OpenDay {
    let day: String
    let connection: ReadOnlyDatabase
    private let last: Int64
    private var from: Int64
    private var rows: ArraySlice<StoredRow> = []

    init(span: RawRowIndex.Span, connection: ReadOnlyDatabase, from: Int64) {
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
        let day = day
        let fetched = try connection.read { db in
            try Row.fetchAll(db, sql: Self.sql, arguments: arguments).map { try StoredRow($0, day: day) }
        }
        rows = fetched[...]
        from = (fetched.last?.sequence ?? last) + 1
        return !fetched.isEmpty
    }

    /// Outcomes of prompts lie in the same files and are no raw rows.
    private static let raw = RawRowQuery.kinds.map { String($0.id) }.joined(separator: ", ")

    private static let sql = """
        SELECT \(StoredRow.columns) FROM \(StoredRow.from)
        WHERE b.sequence BETWEEN ?1 AND ?2 AND b.captured_to >= ?3 AND b.captured_from < ?4 AND b.kind IN (\(raw))
            AND (?5 IS NULL OR b.kind = ?5)
        ORDER BY b.sequence LIMIT ?6
        """
}
