/// A table that never changes, in one piece of memory: how an upload's rows go from the connection that read them to the
/// thread that commits them.
///
///     entries        16 bytes a column, ascending by id
///     each column    presence, 8 bytes for 64 rows │ values: integers 8 bytes a row, 0 where absent
///                                                  │ fixed16: 16 bytes a row, zeros where absent
///                                                  │ bytes, plainBytes: ends u32 a row, padded to 8, then the bytes
///
/// Two allocations whatever the number of columns, where ``Columns`` has three a column: what one thread allocates and
/// another frees is dear. Made by a ``PackedColumnsWriter`` or from a table; usable from any thread.
public final class PackedColumns: @unchecked Sendable {  // nobody writes `memory` after the writer has let go of it
    /// Rows of every column.
    public let rowCount: Int
    /// Columns of the table.
    package let columnCount: Int
    /// Bytes of memory that entries and values take.
    public let byteCount: Int
    private let memory: UnsafeMutableRawPointer

    /// Where a column lies.
    struct Entry {
        var id: UInt8
        var encoding: ColumnEncoding
        /// Offset of the presence.
        var start: UInt32
        /// Offset of the values: integers, 16 bytes a row, or ends.
        var values: UInt32
        /// Bytes of byte strings.
        var length: UInt32
    }

    init(rowCount: Int, columnCount: Int, byteCount: Int, memory: UnsafeMutableRawPointer) {
        self.rowCount = rowCount
        self.columnCount = columnCount
        self.byteCount = byteCount
        self.memory = memory
    }

    deinit { memory.deallocate() }

    /// A column that is looked at; valid as long as the table.
    struct View {
        let id: UInt8
        let encoding: ColumnEncoding
        let rowCount: Int
        let presence: UnsafePointer<UInt64>
        let values: UnsafeRawPointer
        /// Of byte strings.
        let bytes: UnsafeRawBufferPointer

        var integers: UnsafeBufferPointer<Int64> {
            UnsafeBufferPointer(start: values.assumingMemoryBound(to: Int64.self), count: rowCount)
        }

        var fixed16: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: values, count: 16 * rowCount) }

        var ends: UnsafeBufferPointer<UInt32> {
            UnsafeBufferPointer(start: values.assumingMemoryBound(to: UInt32.self), count: rowCount)
        }

        func isPresent(_ row: Int) -> Bool { presence[row >> 6] >> UInt64(row & 63) & 1 == 1 }

        /// The bytes of a row's byte string, none where absent.
        func string(_ row: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: bytes[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])])
        }
    }

    /// The column at a place, ascending by id.
    func view(_ place: Int) -> View {
        let entry = entry(place)
        let strings = Int(entry.values) + PackedColumns.padded(4 * rowCount)
        return View(
            id: entry.id, encoding: entry.encoding, rowCount: rowCount,
            presence: UnsafePointer((memory + Int(entry.start)).assumingMemoryBound(to: UInt64.self)),
            values: UnsafeRawPointer(memory + Int(entry.values)),
            bytes: UnsafeRawBufferPointer(start: memory + strings, count: Int(entry.length)))
    }

    private func entry(_ place: Int) -> Entry { memory.assumingMemoryBound(to: Entry.self)[place] }

    private func view(of id: UInt8) -> View? {
        for place in 0..<columnCount where entry(place).id == id { return view(place) }
        return nil
    }

    /// Lends the values of a column of integers, one a row and 0 where absent; nil if there is no such column.
    public func withIntegers<Result>(
        of id: UInt8, _ body: (UnsafeBufferPointer<Int64>?) throws -> Result
    ) rethrows -> Result {
        try body(view(of: id).flatMap { $0.encoding.isInteger ? $0.integers : nil })
    }

    /// The 16 bytes of a row as two words, the first bytes in the higher one; nil where absent. For single look-ups.
    public func identifier(of id: UInt8, _ row: Int) -> (high: UInt64, low: UInt64)? {
        guard let view = view(of: id), view.encoding == .fixed16, view.isPresent(row) else { return nil }
        return (
            UInt64(bigEndian: view.values.loadUnaligned(fromByteOffset: 16 * row, as: UInt64.self)),
            UInt64(bigEndian: view.values.loadUnaligned(fromByteOffset: 16 * row + 8, as: UInt64.self))
        )
    }

    /// The same table in arrays.
    public var columns: Columns {
        var columns = Columns(rowCount: 0)
        columns.append(self)
        return columns
    }

    /// Packs a table.
    public convenience init(_ columns: Columns) {
        var writer = PackedColumnsWriter(rowCount: columns.rowCount, columns: columns.columns.count)
        for column in columns.columns { writer.reserve(column.encoding, bytes: column.bytes.count) }
        writer.allocate()
        for column in columns.columns { writer.add(column) }
        self.init(
            rowCount: writer.rowCount, columnCount: writer.columnCount, byteCount: writer.byteCount,
            memory: writer.memory!)
    }

    static func padded(_ bytes: Int) -> Int { (bytes + 7) & ~7 }
}
