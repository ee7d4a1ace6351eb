internal import Models

/// The head of a payload: which columns follow, in which encoding and how long.
///
///     version u8 · row count varint · column count u8 · column × count
///     column: id u8 · encoding u8 (| 0x80: has a presence bitmap) · length varint (of its values, in bytes)
struct PayloadDirectory {
    static let version: UInt8 = 1
    static let bitmapFlag: UInt8 = 0x80
    /// Most bytes of one entry.
    static let entryLimit = 2 + Varint.maximumLength
    /// Most bytes before the entries.
    static let headLimit = 2 + Varint.maximumLength

    struct Entry {
        var id: UInt8
        var encoding: ColumnEncoding
        var hasBitmap: Bool
        var length: Int

        /// Bytes of its presence bitmap in the deflated section.
        func bitmapLength(_ rowCount: Int) -> Int { hasBitmap ? (rowCount + 7) / 8 : 0 }
    }

    var rowCount: Int
    var entries: [Entry] = []
    /// Bytes of the section beside the deflated one.
    var plainLength: Int { entries.reduce(0) { $1.encoding.isPlain ? $0 + $1.length : $0 } }
    /// Bytes of the deflated section, inflated.
    var rawLength: Int {
        entries.reduce(0) { $0 + $1.bitmapLength(rowCount) + ($1.encoding.isPlain ? 0 : $1.length) }
    }

    init(rowCount: Int) { self.rowCount = rowCount }

    /// Reads and checks the directory; every length is within the limits and possible for `rowCount` rows.
    init(reading reader: inout ByteReader, rowCount: Int) throws(WireError) {
        self.init(rowCount: rowCount)
        let version = try reader.byte()
        guard version == PayloadDirectory.version else {
            throw .unsupportedFormat(what: "payload", version: version)
        }
        guard try reader.varint() == UInt64(rowCount) else { throw .corrupt(what: "row count of the payload") }
        let count = Int(try reader.byte())
        guard count * rowCount <= WireLimits.values else {
            throw .tooLarge(what: "number of values", limit: WireLimits.values)
        }
        entries.reserveCapacity(count)
        for _ in 0..<count { try readEntry(&reader) }
    }

    func write(at pointer: inout UnsafeMutablePointer<UInt8>) {
        pointer[0] = PayloadDirectory.version
        pointer += 1
        Varint.write(UInt64(rowCount), at: &pointer)
        pointer[0] = UInt8(entries.count)
        pointer += 1
        for entry in entries {
            pointer[0] = entry.id
            pointer[1] = entry.encoding.rawValue | (entry.hasBitmap ? PayloadDirectory.bitmapFlag : 0)
            pointer += 2
            Varint.write(UInt64(entry.length), at: &pointer)
        }
    }

    private mutating func readEntry(_ reader: inout ByteReader) throws(WireError) {
        let id = try reader.byte()
        if let last = entries.last, last.id >= id { throw .corrupt(what: "order of columns") }
        let code = try reader.byte()
        guard let encoding = ColumnEncoding(rawValue: code & ~PayloadDirectory.bitmapFlag) else {
            throw .unknownEncoding(column: id, encoding: code & ~PayloadDirectory.bitmapFlag)
        }
        let hasBitmap = code & PayloadDirectory.bitmapFlag != 0
        let length = try reader.length(limit: WireLimits.rawLength)
        let isPossible =
            switch encoding {
            case .integer, .delta:
                length >= (hasBitmap ? 1 : rowCount) && length <= rowCount * Varint.maximumLength
            case .fixed16: hasBitmap ? length % 16 == 0 && length <= 16 * rowCount : length == 16 * rowCount
            case .bytes, .plainBytes: length >= (hasBitmap ? 1 : rowCount)
            }
        guard isPossible, rowCount > 0 else { throw .corrupt(what: "length of column \(id)") }
        entries.append(Entry(id: id, encoding: encoding, hasBitmap: hasBitmap, length: length))
    }
}
