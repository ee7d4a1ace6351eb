import IngestUploads

extension DeviceMemory {
    /// A blob that cannot be a memory: the database is damaged.
    package struct Damage: Error, CustomStringConvertible {
        package let description = "the duplicate state of a device is damaged"

        package init() {}
    }

    /// Bytes of the blob.
    package var encodedSize: Int {
        let size = 12 + windows.pages.count * 20 + windows.marks.count * 4 + receipts.count * 41
        return ids.buckets.reduce(size) { $0 + 8 + $1.ids.count * 10 }
    }

    /// The blob.
    package func encoded() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: encodedSize) { bytes, count in
            var writer = BlobWriter(UnsafeMutableRawBufferPointer(bytes))
            writer.put(UInt8(1))
            writer.put(UInt8(ids.buckets.count))
            writer.put(UInt8(receipts.count))
            writer.put(consentMark)
            writer.put(UInt32(windows.pages.count))
            writer.put(UInt32(windows.marks.count))
            for page in windows.pages {
                writer.put(page.base)
                writer.put(page.bitmap)
                writer.put(page.day)
            }
            writer.put(windows.marks)
            for bucket in ids.buckets {
                writer.put(bucket.day)
                writer.put(UInt32(bucket.ids.count))
                writer.put(bucket.ids)
                writer.put(bucket.contents)
            }
            for note in receipts { writer.put(note) }
            count = writer.offset
        }
    }

    /// Reads a blob; an empty one is a new device's.
    package init(_ bytes: UnsafeRawBufferPointer) throws {
        guard !bytes.isEmpty else { return }
        var reader = BlobReader(bytes)
        guard try reader.take(UInt8.self) == 1 else { throw Damage() }
        let bucketCount = try reader.take(UInt8.self), receiptCount = try reader.take(UInt8.self)
        consentMark = try reader.take(UInt8.self)
        let pageCount = Int(try reader.take(UInt32.self)), markCount = Int(try reader.take(UInt32.self))
        try reader.require(pageCount * 20 + markCount * 4)
        var pages: [SeqWindows.Page] = []
        pages.reserveCapacity(pageCount + 4)
        var start = 0
        for _ in 0..<pageCount {
            let base = try reader.take(UInt64.self), bitmap = try reader.take(UInt64.self)
            pages.append(.init(base: base, bitmap: bitmap, day: try reader.take(UInt32.self), start: start))
            start += bitmap.nonzeroBitCount
        }
        guard start == markCount else { throw Damage() }
        windows = SeqWindows(pages: pages, marks: try reader.array(markCount))
        for _ in 0..<bucketCount {
            let day = try reader.take(UInt32.self), count = Int(try reader.take(UInt32.self))
            ids.buckets.append(.init(day: day, ids: try reader.array(count), contents: try reader.array(count)))
        }
        for _ in 0..<receiptCount { receipts.append(try reader.note()) }
    }
}

/// Writes integers one after another.
private struct BlobWriter {
    private let bytes: UnsafeMutableRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

    mutating func put<Word: FixedWidthInteger>(_ word: Word) {
        bytes.storeBytes(of: word.littleEndian, toByteOffset: offset, as: Word.self)
        offset += MemoryLayout<Word>.size
    }

    /// All machines Nkul runs on are little-endian.
    mutating func put<Word: FixedWidthInteger>(_ words: [Word]) {
        words.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + source.count]).copyMemory(from: source)
            offset += source.count
        }
    }

    mutating func put(_ note: ReceiptNote) {
        put(note.batch.high)
        put(note.batch.low)
        put(note.at)
        put(note.fingerprint)
        put(note.accepted)
        put(note.duplicates)
        put(note.rejected)
        put(UInt8(note.hasItems ? 1 : 0))
    }
}

private struct BlobReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func require(_ count: Int) throws {
        guard bytes.count - offset >= count else { throw DeviceMemory.Damage() }
    }

    mutating func take<Word: FixedWidthInteger>(_: Word.Type) throws -> Word {
        try require(MemoryLayout<Word>.size)
        defer { offset += MemoryLayout<Word>.size }
        return Word(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Word.self))
    }

    mutating func array<Word: FixedWidthInteger>(_ count: Int) throws -> [Word] {
        let size = count * MemoryLayout<Word>.size
        try require(size)
        defer { offset += size }
        return [Word](unsafeUninitializedCapacity: count + 16) { target, initialized in
            UnsafeMutableRawBufferPointer(target).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size]))
            initialized = count
        }
    }

    mutating func note() throws -> ReceiptNote {
        let batch = BatchID(high: try take(UInt64.self), low: try take(UInt64.self)), at = try take(Int64.self)
        return ReceiptNote(
            batch: batch, fingerprint: try take(UInt32.self), at: at, accepted: try take(UInt32.self),
            duplicates: try take(UInt32.self), rejected: try take(UInt32.self), hasItems: try take(UInt8.self) == 1)
    }
}
