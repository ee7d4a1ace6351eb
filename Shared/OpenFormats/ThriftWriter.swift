/// Writes the compact protocol of Apache Thrift, as far as the metadata of a Parquet file needs it.
///
/// Source: thrift/doc/specs/thrift-compact-protocol.md. Fields of a struct are written in ascending order.
struct ThriftWriter {
    private(set) var bytes: [UInt8] = []
    /// The last field of each struct that is open.
    private var fields: [Int16] = [0]

    private enum Kind: UInt8 {
        case int32 = 5
        case int64 = 6
        case binary = 8
        case list = 9
        case structure = 12
    }

    mutating func int32(_ field: Int16, _ value: Int32) {
        begin(field, .int32)
        append(zigzag: Int64(value))
    }

    mutating func int64(_ field: Int16, _ value: Int64) {
        begin(field, .int64)
        append(zigzag: value)
    }

    mutating func text(_ field: Int16, _ text: String) {
        begin(field, .binary)
        append(text)
    }

    mutating func structure(_ field: Int16, _ body: (inout ThriftWriter) -> Void) {
        begin(field, .structure)
        structure(body)
    }

    mutating func list(_ field: Int16, of values: [Int32]) {
        begin(field, .list)
        beginList(.int32, count: values.count)
        for value in values { append(zigzag: Int64(value)) }
    }

    mutating func list(_ field: Int16, of texts: [String]) {
        begin(field, .list)
        beginList(.binary, count: texts.count)
        for text in texts { append(text) }
    }

    mutating func list<Value>(_ field: Int16, of values: [Value], _ body: (Value, inout ThriftWriter) -> Void) {
        begin(field, .list)
        beginList(.structure, count: values.count)
        for value in values { structure { body(value, &$0) } }
    }

    /// A struct that is no field: what is asked for from outside, and members of lists.
    mutating func structure(_ body: (inout ThriftWriter) -> Void) {
        fields.append(0)
        body(&self)
        fields.removeLast()
        bytes.append(0)
    }

    private mutating func begin(_ field: Int16, _ kind: Kind) {
        let last = fields[fields.count - 1]
        if field > last, field - last <= 15 {
            bytes.append(UInt8(field - last) << 4 | kind.rawValue)
        } else {
            bytes.append(kind.rawValue)
            append(zigzag: Int64(field))
        }
        fields[fields.count - 1] = field
    }

    private mutating func beginList(_ kind: Kind, count: Int) {
        if count < 15 {
            bytes.append(UInt8(count) << 4 | kind.rawValue)
        } else {
            bytes.append(0xF0 | kind.rawValue)
            LEB128.append(UInt64(count), to: &bytes)
        }
    }

    private mutating func append(_ text: String) {
        LEB128.append(UInt64(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(zigzag value: Int64) {
        LEB128.append(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
    }
}

/// Integers of seven bits a byte, the lowest first.
enum LEB128 {
    static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
