internal import Models

extension BlockHeader {
    private static let formatVersion: UInt8 = 1
    private static let fixedLength = 60
    private static let what = "block header"

    /// The header as bytes, numbers little-endian:
    ///
    ///      0  format u8 = 1 · kind u8 · kind version u8 · 0
    ///      4  rows u32 · kept rows u32 · key id u32 · raw length u32 · payload CRC-32 u32
    ///     24  generation u64 · number u64 · previous u64 · committed at i64 (Unix ms)
    ///     56  subjects u32 · subjects as varints: the first, then differences
    ///      …  CRC-32 u32 of everything before
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(BlockHeader.fixedLength + 4 + 3 * subjects.count)
        bytes += [BlockHeader.formatVersion, kind, kindVersion, 0]
        for number in [UInt32(rowCount), UInt32(keptRows), keyID, UInt32(rawLength), crc32] { bytes.append(number) }
        for number in [generation, number, previous, UInt64(bitPattern: committedAt)] { bytes.append(number) }
        bytes.append(UInt32(subjects.count))
        var previous: UInt64 = 0
        for subject in subjects {
            Varint.append(subject &- previous, to: &bytes)
            previous = subject
        }
        bytes.append(CRC32.checksum(bytes))
        return bytes
    }

    /// Reads a header; throws for anything that ``encoded()`` did not write.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(WireError) in try BlockHeader(decoding: raw) }
        }
        self = try result.get()
    }

    /// Reads a header; throws for anything that ``encoded()`` did not write.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard let version = bytes.first else { throw .truncated(what: BlockHeader.what) }
        guard version == BlockHeader.formatVersion else {
            throw .unsupportedFormat(what: BlockHeader.what, version: version)
        }
        guard bytes.count >= BlockHeader.fixedLength + 4 else { throw .truncated(what: BlockHeader.what) }
        let recorded = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self))
        let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(4))
        let computed = CRC32.checksum(body)
        guard recorded == computed else {
            throw .checksumMismatch(what: BlockHeader.what, recorded: recorded, computed: computed)
        }
        var reader = ByteReader(body.bindMemory(to: UInt8.self), what: BlockHeader.what)
        self = try BlockHeader(reading: &reader)
    }

    private init(reading reader: inout ByteReader) throws(WireError) {
        _ = try reader.byte()
        kind = try reader.byte()
        kindVersion = try reader.byte()
        _ = try reader.byte()
        rowCount = Int(try reader.littleEndian(UInt32.self))
        keptRows = Int(try reader.littleEndian(UInt32.self))
        keyID = try reader.littleEndian(UInt32.self)
        rawLength = Int(try reader.littleEndian(UInt32.self))
        crc32 = try reader.littleEndian(UInt32.self)
        generation = try reader.littleEndian(UInt64.self)
        number = try reader.littleEndian(UInt64.self)
        previous = try reader.littleEndian(UInt64.self)
        committedAt = try reader.littleEndian(Int64.self)
        subjects = try BlockHeader.readSubjects(&reader)
        guard keptRows <= rowCount, reader.remaining == 0 else { throw .corrupt(what: BlockHeader.what) }
    }

    private static func readSubjects(_ reader: inout ByteReader) throws(WireError) -> [UInt64] {
        let count = Int(try reader.littleEndian(UInt32.self))
        guard count <= reader.remaining else { throw .truncated(what: what) }
        var subjects: [UInt64] = []
        subjects.reserveCapacity(count)
        for index in 0..<count {
            let difference = try reader.varint()
            let (subject, overflow) = (subjects.last ?? 0).addingReportingOverflow(difference)
            guard !overflow, difference > 0 || index == 0 else { throw .corrupt(what: "subjects of the \(what)") }
            subjects.append(subject)
        }
        return subjects
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
