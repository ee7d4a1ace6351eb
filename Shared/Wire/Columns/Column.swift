/// One column of a table: which rows have a value, and the values in one flat array.
///
/// | encoding | `integers` | `bytes` | `ends` |
/// |---|---|---|---|
/// | integer, delta | one a row, 0 where absent | empty | empty |
/// | fixed16 | empty | 16 a row, zeros where absent | empty |
/// | bytes, plainBytes | empty | values one after another | end offset of each row's value; an absent row's value is empty |
public struct Column: Sendable, Equatable {
    /// The column's id within its record kind.
    public let id: UInt8
    /// How the column travels and which of the arrays is used.
    public let encoding: ColumnEncoding
    /// One bit a row: whether the row has a value.
    public var presence: RowSet
    /// The values of an integer column, in stored units, 0 where absent.
    public var integers: [Int64]
    /// The values of a column of bytes.
    public var bytes: [UInt8]
    /// For encodings `bytes` and `plainBytes`: the end of each row's value in `bytes`.
    public var ends: [UInt32]

    /// A column of integers; `integers` has one value a row, 0 where absent.
    public init(id: UInt8, encoding: ColumnEncoding = .integer, presence: RowSet, integers: [Int64]) {
        precondition(encoding.isInteger, "an integer column has encoding integer or delta")
        self.init(id: id, encoding: encoding, presence: presence, integers: integers, bytes: [], ends: [])
    }

    /// A column of 16-byte values; `fixed16` has 16 bytes a row, zeros where absent.
    public init(id: UInt8, presence: RowSet, fixed16: [UInt8]) {
        self.init(id: id, encoding: .fixed16, presence: presence, integers: [], bytes: fixed16, ends: [])
    }

    /// A column of byte strings; `ends` has the end offset of each row's value.
    ///
    /// - Parameter isPlain: true for what deflate would hardly shrink.
    public init(id: UInt8, presence: RowSet, bytes: [UInt8], ends: [UInt32], isPlain: Bool = false) {
        self.init(
            id: id, encoding: isPlain ? .plainBytes : .bytes, presence: presence, integers: [], bytes: bytes, ends: ends
        )
    }

    init(id: UInt8, encoding: ColumnEncoding, presence: RowSet, integers: [Int64], bytes: [UInt8], ends: [UInt32]) {
        self.id = id
        self.encoding = encoding
        self.presence = presence
        self.integers = integers
        self.bytes = bytes
        self.ends = ends
    }
}

extension Column {
    /// A column of integers from optional values.
    public init(id: UInt8, encoding: ColumnEncoding = .integer, values: [Int64?]) {
        var presence = RowSet.empty(0)
        for value in values { presence.append(value != nil) }
        self.init(id: id, encoding: encoding, presence: presence, integers: values.map { $0 ?? 0 })
    }

    /// A column of byte strings from optional values.
    public init(id: UInt8, strings: [[UInt8]?]) {
        self.init(id: id, presence: .empty(0), bytes: [], ends: [])
        for value in strings {
            presence.append(value != nil)
            bytes.append(contentsOf: value ?? [])
            ends.append(UInt32(bytes.count))
        }
    }

    /// A column in which no row has a value.
    public static func absent(id: UInt8, encoding: ColumnEncoding, rowCount: Int) -> Column {
        Column(
            id: id, encoding: encoding, presence: .empty(rowCount),
            integers: encoding.isInteger ? [Int64](repeating: 0, count: rowCount) : [],
            bytes: encoding == .fixed16 ? [UInt8](repeating: 0, count: 16 * rowCount) : [],
            ends: encoding.isBytes ? [UInt32](repeating: 0, count: rowCount) : [])
    }

    /// The integer of a row, nil where absent. For single look-ups; loops read `integers` itself.
    public func integer(_ row: Int) -> Int64? {
        presence[row] ? integers[row] : nil
    }

    /// The bytes of a row (encodings `fixed16` and `bytes`), nil where absent.
    public func value(_ row: Int) -> ArraySlice<UInt8>? {
        guard presence[row] else { return nil }
        if encoding == .fixed16 { return bytes[16 * row..<16 * row + 16] }
        return bytes[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])]
    }

    /// Lends the bytes of a row (encodings `fixed16`, `bytes` and `plainBytes`), none where absent.
    public func withBytes<Result>(_ row: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let start = encoding == .fixed16 ? 16 * row : row == 0 ? 0 : Int(ends[row - 1])
        let end = encoding == .fixed16 ? start + 16 : Int(ends[row])
        return try bytes.withUnsafeBytes {
            try body(UnsafeRawBufferPointer(rebasing: $0[start..<(presence[row] ? end : start)]))
        }
    }

    /// Whether the arrays fit `rowCount` rows and the encoding.
    func hasShape(rowCount: Int) -> Bool {
        guard presence.count == rowCount else { return false }
        switch encoding {
        case .integer, .delta: return integers.count == rowCount && bytes.isEmpty && ends.isEmpty
        case .fixed16: return integers.isEmpty && bytes.count == 16 * rowCount && ends.isEmpty
        case .bytes, .plainBytes: return integers.isEmpty && ends.count == rowCount && hasAscendingEnds
        }
    }

    private var hasAscendingEnds: Bool {
        var previous: UInt32 = 0
        for end in ends {
            if end < previous { return false }
            previous = end
        }
        return Int(previous) == bytes.count
    }
}
