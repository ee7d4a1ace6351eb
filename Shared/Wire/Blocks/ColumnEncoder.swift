internal import Models

/// Turns tables into payloads.
///
///     ┌───────────┬──────────────────────┬──────────────────────────────────────────────────┐
///     │ directory │ fixed16, plainBytes  │ deflate (RFC 1951), left out when empty          │
///     │           │ present rows, 16 B   │ per column: [bitmap ⌈rows/8⌉ B] [values]         │
///     └───────────┴──────────────────────┴──────────────────────────────────────────────────┘
///     directory: see PayloadDirectory
///     values of integer, delta: zigzag varints of present rows; of bytes, plainBytes: varint lengths of present rows,
///     then bytes; of fixed16 of which some are UUIDs: see PackedIdentifiers
///
/// The bitmap is left out when every row is present, and a column is left out when none is. Random identifiers lie
/// beside the deflated part because deflate spends half its time on failing to shrink them, and so do histograms. Keeps
/// tables and scratch memory between calls; not thread-safe, copies share their state.
public struct ColumnEncoder {
    private let compressor: BlockCompressor
    private let raw = ScratchBuffer(capacity: 65_536)
    private let deflated = ScratchBuffer(capacity: 65_536)

    /// An encoder with its own tables.
    public init(_ effort: CompressionEffort = .fast) {
        compressor = BlockCompressor(effort)
    }

    /// The payload of a table; throws `tooLarge` over ``WireLimits``.
    public mutating func encode(_ columns: Columns) throws(WireError) -> EncodedColumns {
        guard columns.rowCount <= WireLimits.rows else {
            throw .tooLarge(what: "number of rows", limit: WireLimits.rows)
        }
        var directory = PayloadDirectory(rowCount: columns.rowCount)
        var rawLength = 0
        for column in columns.columns { encode(column, into: &directory, used: &rawLength) }
        guard rawLength <= WireLimits.rawLength else {
            throw .tooLarge(what: "table", limit: WireLimits.rawLength)
        }
        guard directory.entries.count * columns.rowCount <= WireLimits.values else {
            throw .tooLarge(what: "number of values", limit: WireLimits.values)
        }
        let payload = try assemble(columns, directory, rawLength)
        return EncodedColumns(
            payload: payload, rawLength: rawLength, crc32: CRC32.checksum(payload), rowCount: columns.rowCount)
    }

    private func encode(_ column: Column, into directory: inout PayloadDirectory, used: inout Int) {
        let population = column.presence.population
        guard population > 0 else { return }
        let rowCount = directory.rowCount
        let hasBitmap = population < rowCount
        let bitmapLength = hasBitmap ? (rowCount + 7) / 8 : 0
        raw.reserve(used + bitmapLength + 8 + mostDeflated(column, population), keeping: used)
        let start = raw.bytes.bindMemory(to: UInt8.self).baseAddress! + used
        if hasBitmap { column.presence.write(at: start) }
        var pointer = start + bitmapLength
        var entry = PayloadDirectory.Entry(id: column.id, encoding: column.encoding, hasBitmap: hasBitmap)
        switch column.encoding {
        case .integer: column.writeIntegers(at: &pointer, hasAbsent: hasBitmap)
        case .delta: column.writeDeltas(at: &pointer, hasAbsent: hasBitmap)
        case .bytes: column.writeBytes(at: &pointer)
        case .plainBytes: entry.plainLength = column.byteStringsLength
        case .fixed16:
            let packed = column.bytes.withUnsafeBytes {
                PackedIdentifiers.writeDeflated($0, column.presence, at: &pointer)
            }
            entry.isPacked = packed != nil
            entry.plainLength = packed ?? 16 * population
        }
        entry.deflatedLength = pointer - start - bitmapLength
        directory.entries.append(entry)
        used += pointer - start
    }

    /// Most bytes of a column's values in the deflated part.
    private func mostDeflated(_ column: Column, _ population: Int) -> Int {
        switch column.encoding {
        case .integer, .delta: Varint.maximumLength * population
        case .bytes: Varint.maximumLength * population + column.bytes.count
        case .fixed16: 1 + PackedIdentifiers.mostDeflated * population
        case .plainBytes: 0
        }
    }

    private func assemble(
        _ columns: Columns, _ directory: PayloadDirectory, _ rawLength: Int
    ) throws(WireError) -> [UInt8] {
        var deflatedLength = 0
        if rawLength > 0 {
            deflated.reserve(compressor.bound(rawLength))
            deflatedLength = try compressor.deflate(
                UnsafeRawBufferPointer(rebasing: raw.bytes[..<rawLength]), into: deflated.bytes)
        }
        let capacity =
            PayloadDirectory.headLimit + PayloadDirectory.entryLimit * directory.entries.count
            + directory.plainLength + deflatedLength
        return [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
            var pointer = target.baseAddress!
            directory.write(at: &pointer)
            for entry in directory.entries where entry.encoding.isPlain {
                guard let column = columns[entry.id] else { continue }
                if entry.isPacked {
                    column.bytes.withUnsafeBytes {
                        PackedIdentifiers.writePlain($0, column.presence, at: &pointer)
                    }
                } else if entry.encoding == .fixed16 {
                    column.writeFixed16(at: &pointer, hasAbsent: entry.hasBitmap)
                } else {
                    column.writeBytes(at: &pointer)
                }
            }
            UnsafeMutableRawPointer(pointer).copyMemory(
                from: UnsafeRawPointer(deflated.bytes.baseAddress!), byteCount: deflatedLength)
            count = pointer - target.baseAddress! + deflatedLength
        }
    }
}

/// A table as bytes, with what a block header records of it.
public struct EncodedColumns: Sendable, Equatable {
    /// The payload; its layout is drawn at ``ColumnEncoder``.
    public var payload: [UInt8]
    /// Bytes of the section that was deflated, before it was.
    public var rawLength: Int
    /// CRC-32 of `payload`.
    public var crc32: UInt32
    /// Rows of the table.
    public var rowCount: Int

    /// A table as it was stored.
    public init(payload: [UInt8], rawLength: Int, crc32: UInt32, rowCount: Int) {
        self.payload = payload
        self.rawLength = rawLength
        self.crc32 = crc32
        self.rowCount = rowCount
    }
}
