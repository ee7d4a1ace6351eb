public import Wire

/// A flat table as an Apache Parquet file: format version 1, pages of plain values, deflated (codec GZIP).
///
/// The same table gives the same bytes. Source: apache/parquet-format, README.md and parquet.thrift. Each group of rows is one chunk
/// and one page a column, so memory holds one group while the file is written.
public struct ParquetFile {
    /// A column. Values that are missing are null.
    public struct Column: Sendable {
        /// What the values are.
        public enum Values: Sendable {
            case int64([Int64?])
            case double([Double?])
            /// UTF-8.
            case text([String?])
            case bytes([[UInt8]?])

            var count: Int {
                switch self {
                case .int64(let values): values.count
                case .double(let values): values.count
                case .text(let values): values.count
                case .bytes(let values): values.count
                }
            }
        }

        public let name: String
        public let values: Values

        public init(_ name: String, _ values: Values) {
            self.name = name
            self.values = values
        }
    }

    /// What of a chunk stands in the footer.
    private struct Chunk {
        let offset: Int
        let length: Int
        let inflatedLength: Int
    }

    /// A group of rows.
    private struct Group {
        let rowCount: Int
        let chunks: [Chunk]
    }

    private static let magic = Array("PAR1".utf8)
    private static let gzip: Int32 = 2
    private static let plain: Int32 = 0
    private static let runLengths: Int32 = 3

    private var columns: [Column] = []
    private var groups: [Group] = []
    private var written = 0

    public init() {}

    /// The next bytes of the file: those of a group of rows.
    ///
    /// - Parameter columns: of equal lengths; names and kinds are those of the first group. A group without rows only says these.
    public mutating func append(_ columns: [Column]) throws(WireError) -> [UInt8] {
        let rowCount = columns.first?.values.count ?? 0
        precondition(columns.allSatisfy { $0.values.count == rowCount }, "columns of a table are of one length")
        precondition(
            self.columns.isEmpty || columns.map(\.name) == self.columns.map(\.name), "groups have the same columns")
        if self.columns.isEmpty { self.columns = columns.map { Column($0.name, $0.values.empty) } }
        if rowCount == 0 { return [] }
        var out = written == 0 ? Self.magic : []
        var chunks: [Chunk] = []
        for column in columns {
            let begin = out.count
            let inflatedLength = try Self.appendPage(column.values, to: &out)
            chunks.append(Chunk(offset: written + begin, length: out.count - begin, inflatedLength: inflatedLength))
        }
        groups.append(Group(rowCount: rowCount, chunks: chunks))
        written += out.count
        return out
    }

    /// The last bytes of the file.
    ///
    /// - Parameter metadata: keys and values for readers, as `geo` of GeoParquet.
    public func footer(_ metadata: [(key: String, value: String)] = []) -> [UInt8] {
        var out = ThriftWriter()
        out.structure { file in
            file.int32(1, 1)
            file.list(2, of: [nil] + columns.map(Optional.some)) { column, element in
                Self.describe(column, columns.count, to: &element)
            }
            file.int64(3, Int64(groups.reduce(0) { $0 + $1.rowCount }))
            file.list(4, of: groups) { describe($0, to: &$1) }
            if !metadata.isEmpty {
                file.list(5, of: metadata) { pair, element in
                    element.text(1, pair.key)
                    element.text(2, pair.value)
                }
            }
            file.text(6, "Nkul")
        }
        let length = UInt32(out.bytes.count)
        return (written == 0 ? Self.magic : []) + out.bytes + (0..<4).map { UInt8(length >> (8 * $0) & 0xff) }
            + Self.magic
    }

    /// - Returns: bytes of the page before it was deflated, its header included.
    private static func appendPage(_ values: Column.Values, to out: inout [UInt8]) throws(WireError) -> Int {
        let page = values.presence + values.plain
        let deflated = try Deflater.deflate(page, format: .gzip)
        var header = ThriftWriter()
        header.structure { header in
            header.int32(1, 0)
            header.int32(2, Int32(page.count))
            header.int32(3, Int32(deflated.count))
            header.structure(5) { data in
                data.int32(1, Int32(values.count))
                data.int32(2, plain)
                data.int32(3, runLengths)
                data.int32(4, runLengths)
            }
        }
        out += header.bytes + deflated
        return header.bytes.count + page.count
    }

    /// A column of the schema; nil is the root, which has the others.
    private static func describe(_ column: Column?, _ count: Int, to element: inout ThriftWriter) {
        guard let column else {
            element.text(4, "schema")
            return element.int32(5, Int32(count))
        }
        element.int32(1, column.values.physicalType)
        element.int32(3, 1)
        element.text(4, column.name)
        if case .text = column.values {
            element.int32(6, 0)
            element.structure(10) { $0.structure(1) { _ in } }
        }
    }

    private func describe(_ group: Group, to element: inout ThriftWriter) {
        element.list(1, of: Array(zip(columns, group.chunks))) { pair, element in
            let (column, chunk) = pair
            element.int64(2, Int64(chunk.offset))
            element.structure(3) { data in
                data.int32(1, column.values.physicalType)
                data.list(2, of: [Self.plain, Self.runLengths])
                data.list(3, of: [column.name])
                data.int32(4, Self.gzip)
                data.int64(5, Int64(group.rowCount))
                data.int64(6, Int64(chunk.inflatedLength))
                data.int64(7, Int64(chunk.length))
                data.int64(9, Int64(chunk.offset))
            }
        }
        element.int64(2, group.chunks.reduce(0) { $0 + Int64($1.inflatedLength) })
        element.int64(3, Int64(group.rowCount))
    }
}

extension ParquetFile.Column.Values {
    /// No values of the same kind.
    fileprivate var empty: Self {
        switch self {
        case .int64: .int64([])
        case .double: .double([])
        case .text: .text([])
        case .bytes: .bytes([])
        }
    }

    /// `Type` of parquet.thrift.
    fileprivate var physicalType: Int32 {
        switch self {
        case .int64: 2
        case .double: 5
        case .text, .bytes: 6
        }
    }

    /// Which values are there, as definition levels: runs of one bit (Encodings.md, RLE), after their length.
    fileprivate var presence: [UInt8] {
        var runs: [UInt8] = [], run: (bit: Bool, length: UInt64)?
        func end() {
            guard let run else { return }
            LEB128.append(run.length << 1, to: &runs)
            runs.append(run.bit ? 1 : 0)
        }
        for isThere in isThere {
            if run?.bit == isThere {
                run!.length += 1
            } else {
                end()
                run = (isThere, 1)
            }
        }
        end()
        return (0..<4).map { UInt8(UInt32(runs.count) >> (8 * $0) & 0xff) } + runs
    }

    private var isThere: [Bool] {
        switch self {
        case .int64(let values): values.map { $0 != nil }
        case .double(let values): values.map { $0 != nil }
        case .text(let values): values.map { $0 != nil }
        case .bytes(let values): values.map { $0 != nil }
        }
    }

    /// The values that are there, little-endian; those of any length after their length.
    fileprivate var plain: [UInt8] {
        var out: [UInt8] = []
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { out.append(contentsOf: $0) }
        }
        switch self {
        case .int64(let values): for case let value? in values { append(value) }
        case .double(let values): for case let value? in values { append(value.bitPattern) }
        case .text(let values):
            for case let text? in values {
                append(UInt32(text.utf8.count))
                out.append(contentsOf: text.utf8)
            }
        case .bytes(let values):
            for case let bytes? in values {
                append(UInt32(bytes.count))
                out += bytes
            }
        }
        return out
    }
}
