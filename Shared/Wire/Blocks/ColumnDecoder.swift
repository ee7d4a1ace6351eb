/// Turns payloads back into tables; the layout is drawn at ``ColumnEncoder``.
///
/// Whatever the bytes are, the answer is a table or an error: every length is checked against the row count, the bytes
/// at hand and ``WireLimits`` before memory is taken. Keeps tables and scratch memory between calls; not
/// thread-safe, copies share their state.
public struct ColumnDecoder {
    private let decompressor = BlockDecompressor()
    private let raw = ScratchBuffer(capacity: 65_536)

    /// A decoder with its own tables.
    public init() {}

    /// The table of a payload, given what its header records; throws if they do not fit each other.
    ///
    /// - Parameter wanted: ids of the columns that the table is to have, as far as the payload has them; nil is all. Of the
    ///   others only the lengths are looked at.
    public mutating func decode(
        _ payload: [UInt8], rowCount: Int, rawLength: Int, crc32: UInt32, only wanted: Set<UInt8>? = nil
    ) throws(WireError) -> Columns {
        let result = payload.withUnsafeBytes { bytes in
            Result { () throws(WireError) in
                try decode(bytes, rowCount: rowCount, rawLength: rawLength, crc32: crc32, only: wanted)
            }
        }
        return try result.get()
    }

    /// The table of what was encoded and stored.
    public mutating func decode(_ stored: EncodedColumns) throws(WireError) -> Columns {
        try decode(
            stored.payload, rowCount: stored.rowCount, rawLength: stored.rawLength, crc32: stored.crc32)
    }

    /// The same of bytes that lie elsewhere.
    public mutating func decode(
        _ payload: UnsafeRawBufferPointer, rowCount: Int, rawLength: Int, crc32: UInt32, only wanted: Set<UInt8>? = nil
    ) throws(WireError) -> Columns {
        let computed = CRC32.checksum(payload)
        guard computed == crc32 else {
            throw .checksumMismatch(what: "payload", recorded: crc32, computed: computed)
        }
        return try decodeUnchecked(payload, rowCount: rowCount, rawLength: rawLength, only: wanted)
    }

    /// Decodes without the checksum, so that tests reach the checks behind it.
    mutating func decodeUnchecked(
        _ payload: UnsafeRawBufferPointer, rowCount: Int, rawLength: Int, only wanted: Set<UInt8>? = nil
    ) throws(WireError) -> Columns {
        guard rowCount >= 0, rowCount <= WireLimits.rows else {
            throw .tooLarge(what: "number of rows", limit: WireLimits.rows)
        }
        var reader = ByteReader(payload.bindMemory(to: UInt8.self), what: "payload")
        let directory = try PayloadDirectory(reading: &reader, rowCount: rowCount)
        guard directory.rawLength == rawLength else { throw .corrupt(what: "raw length of the payload") }
        guard rawLength <= WireLimits.rawLength else { throw .tooLarge(what: "table", limit: WireLimits.rawLength) }
        var plain = ByteReader(try reader.bytes(directory.plainLength), what: "payload")
        let deflated = UnsafeRawBufferPointer(try reader.bytes(reader.remaining))
        try inflate(deflated, rawLength)
        var inflated = ByteReader(
            UnsafeRawBufferPointer(rebasing: raw.bytes[..<rawLength]).bindMemory(to: UInt8.self), what: "payload")
        var columns: [Column] = []
        columns.reserveCapacity(directory.entries.count)
        for entry in directory.entries {
            if let wanted, !wanted.contains(entry.id) {
                try skip(entry, rowCount, plain: &plain, inflated: &inflated)
            } else {
                columns.append(try Column(decoding: entry, rowCount: rowCount, plain: &plain, inflated: &inflated))
            }
        }
        return Columns(checkedRowCount: rowCount, ascendingColumns: columns)
    }

    private func skip(
        _ entry: PayloadDirectory.Entry, _ rowCount: Int, plain: inout ByteReader, inflated: inout ByteReader
    ) throws(WireError) {
        _ = try inflated.bytes(entry.bitmapLength(rowCount) + entry.deflatedLength)
        _ = try plain.bytes(entry.plainLength)
    }

    private func inflate(_ deflated: UnsafeRawBufferPointer, _ rawLength: Int) throws(WireError) {
        guard rawLength > 0 else {
            if !deflated.isEmpty { throw .trailingBytes(what: "payload") }
            return
        }
        guard rawLength / WireLimits.inflationFactor <= deflated.count else { throw .truncated(what: "payload") }
        raw.reserve(rawLength)
        try decompressor.inflate(
            deflated, into: UnsafeMutableRawBufferPointer(rebasing: raw.bytes[..<rawLength]), what: "payload")
    }
}
