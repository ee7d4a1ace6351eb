internal import Models

/// The head of a payload: which columns follow, in which encoding and how long.
///
///     version u8 · row count varint · column count u8 · column × count
///     column: id u8 · encoding u8 (| 0x80: has a presence bitmap) · length varint (of its values, in bytes)
///     of identifiers whose encoding is 5 (``PackedIdentifiers``): two lengths, beside the deflated part and in it
struct PayloadDirectory {
    static let version: UInt8 = 1
    static let bitmapFlag: UInt8 = 0x80
    /// The encoding of a `fixed16` column of which some values are UUIDs.
    static let packedIdentifiers: UInt8 = 5
    /// Most bytes of one entry.
    static let entryLimit = 2 + 2 * Varint.maximumLength
    /// Most bytes before the entries.
    static let headLimit = 2 + Varint.maximumLength

    struct Entry {
        var id: UInt8
        var encoding: ColumnEncoding
        var hasBitmap: Bool
        /// Bytes of its values beside the deflated section.
        var plainLength = 0
        /// Bytes of its values in the deflated section.
        var deflatedLength = 0
        /// Whether `fixed16` values are written as ``PackedIdentifiers``.
        var isPacked = false

        /// Bytes of its presence bitmap in the deflated section.
        func bitmapLength(_ rowCount: Int) -> Int { hasBitmap ? (rowCount + 7) / 8 : 0 }
    }

    var rowCount: Int
    var entries: [Entry] = []
    /// Bytes of the section beside the deflated one.
    var plainLength: Int { entries.reduce(0) { $0 + $1.plainLength } }
    /// Bytes of the deflated section, inflated.
    var rawLength: Int { entries.reduce(0) { $0 + $1.bitmapLength(rowCount) + $1.deflatedLength } }

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
            let encoding = entry.isPacked ? PayloadDirectory.packedIdentifiers : entry.encoding.rawValue
            pointer[1] = encoding | (entry.hasBitmap ? PayloadDirectory.bitmapFlag : 0)
            pointer += 2
            Varint.write(UInt64(entry.encoding.isPlain ? entry.plainLength : entry.deflatedLength), at: &pointer)
            if entry.isPacked { Varint.write(UInt64(entry.deflatedLength), at: &pointer) }
        }
    }

    private mutating func readEntry(_ reader: inout ByteReader) throws(WireError) {
        let id = try reader.byte()
        if let last = entries.last, last.id >= id { throw .corrupt(what: "order of columns") }
        let code = try reader.byte()
        let isPacked = code & ~PayloadDirectory.bitmapFlag == PayloadDirectory.packedIdentifiers
        guard
            let encoding = isPacked ? .fixed16 : ColumnEncoding(rawValue: code & ~PayloadDirectory.bitmapFlag)
        else {
            throw .unknownEncoding(column: id, encoding: code & ~PayloadDirectory.bitmapFlag)
        }
        let hasBitmap = code & PayloadDirectory.bitmapFlag != 0
        let length = try reader.length(limit: WireLimits.rawLength)
        let deflatedLength =
            isPacked ? try reader.length(limit: WireLimits.rawLength) : encoding.isPlain ? 0 : length
        let least = hasBitmap ? 1 : rowCount
        let isPossible =
            switch encoding {
            case .integer, .delta: length >= least && length <= rowCount * Varint.maximumLength
            case .fixed16 where isPacked:
                length >= least && length <= 16 * rowCount && deflatedLength > 0
                    && deflatedLength <= 1 + rowCount * PackedIdentifiers.mostDeflated
            case .fixed16: hasBitmap ? length % 16 == 0 && length <= 16 * rowCount : length == 16 * rowCount
            case .bytes, .plainBytes: length >= least
            }
        guard isPossible, rowCount > 0 else { throw .corrupt(what: "length of column \(id)") }
        entries.append(
            Entry(
                id: id, encoding: encoding, hasBitmap: hasBitmap, plainLength: encoding.isPlain ? length : 0,
                deflatedLength: deflatedLength, isPacked: isPacked))
    }
}
