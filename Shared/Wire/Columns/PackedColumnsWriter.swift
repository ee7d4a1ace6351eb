/// Makes a ``PackedColumns``: first every column is reserved, then the memory is taken once, then every column is written,
/// in the same order, ascending by id.
///
/// Values are written through the pointers that ``add(id:encoding:bytes:)`` lends, all of them; nothing is cleared before.
public struct PackedColumnsWriter {
    /// Rows of every column.
    public let rowCount: Int
    private(set) var columnCount = 0
    private(set) var byteCount: Int
    private(set) var memory: UnsafeMutableRawPointer?
    private var used: Int

    /// Where the values of a column are written.
    public struct Place {
        /// One bit a row, whole words, zeros behind the last row.
        public let presence: UnsafeMutablePointer<UInt64>
        /// Integers: 8 bytes a row; fixed16: 16 bytes a row; byte strings: their ends, 4 bytes a row.
        public let values: UnsafeMutableRawPointer
        /// Byte strings, one after another.
        public let bytes: UnsafeMutableRawPointer
    }

    /// - Parameter columns: the most columns there may be.
    public init(rowCount: Int, columns: Int) {
        self.rowCount = rowCount
        byteCount = columns * MemoryLayout<PackedColumns.Entry>.stride
        used = byteCount
    }

    /// Words of a presence.
    public var wordCount: Int { RowSet.wordCount(rowCount) }

    /// Makes room for a column; `bytes` are those of its byte strings.
    public mutating func reserve(_ encoding: ColumnEncoding, bytes: Int = 0) {
        byteCount += size(encoding, bytes)
    }

    /// Takes the memory; without a call of ``finish()`` after it, it is not given back.
    public mutating func allocate() {
        precondition(byteCount <= UInt32.max, "a packed table is smaller than 4 GB")
        memory = .allocate(byteCount: byteCount, alignment: 8)
    }

    /// Lends the place of the next column, which was reserved.
    public mutating func add(id: UInt8, encoding: ColumnEncoding, bytes: Int = 0) -> Place {
        let end = used + size(encoding, bytes)
        precondition(end <= byteCount, "a column of a packed table was not reserved")
        let values = used + 8 * wordCount, memory = memory!
        memory.storeBytes(
            of: PackedColumns.Entry(
                id: id, encoding: encoding, start: UInt32(used), values: UInt32(values),
                length: encoding.isBytes ? UInt32(bytes) : 0),
            toByteOffset: columnCount * MemoryLayout<PackedColumns.Entry>.stride, as: PackedColumns.Entry.self)
        let place = Place(
            presence: (memory + used).assumingMemoryBound(to: UInt64.self), values: memory + values,
            bytes: memory + values + PackedColumns.padded(4 * rowCount))
        columnCount += 1
        used = end
        return place
    }

    /// Adds a column of integers that has the same value in every row.
    public mutating func add(id: UInt8, encoding: ColumnEncoding = .integer, all value: Int64) {
        let place = add(id: id, encoding: encoding)
        fill(place.presence)
        place.values.assumingMemoryBound(to: Int64.self).update(repeating: value, count: rowCount)
    }

    /// Marks every row as present.
    public func fill(_ presence: UnsafeMutablePointer<UInt64>) {
        guard rowCount > 0 else { return }
        presence.update(repeating: .max, count: wordCount)
        if rowCount & 63 != 0 { presence[wordCount - 1] = 1 << UInt64(rowCount & 63) - 1 }
    }

    /// The table.
    public func finish() -> PackedColumns {
        PackedColumns(rowCount: rowCount, columnCount: columnCount, byteCount: byteCount, memory: memory!)
    }

    mutating func add(_ column: Column) {
        let place = add(id: column.id, encoding: column.encoding, bytes: column.bytes.count)
        column.presence.words.withUnsafeBufferPointer { place.presence.update(from: $0) }
        switch column.encoding {
        case .integer, .delta:
            column.integers.withUnsafeBytes { place.values.copy($0) }
        case .fixed16:
            column.bytes.withUnsafeBytes { place.values.copy($0) }
        case .bytes, .plainBytes:
            column.ends.withUnsafeBytes { place.values.copy($0) }
            column.bytes.withUnsafeBytes { place.bytes.copy($0) }
        }
    }

    private func size(_ encoding: ColumnEncoding, _ bytes: Int) -> Int {
        let values =
            switch encoding {
            case .integer, .delta: 8 * rowCount
            case .fixed16: 16 * rowCount
            case .bytes, .plainBytes: PackedColumns.padded(4 * rowCount) + PackedColumns.padded(bytes)
            }
        return 8 * wordCount + values
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copy(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { copyMemory(from: start, byteCount: bytes.count) }
    }
}

extension UnsafeMutablePointer<UInt64> {
    fileprivate func update(from words: UnsafeBufferPointer<UInt64>) {
        if let start = words.baseAddress { update(from: start, count: words.count) }
    }
}
