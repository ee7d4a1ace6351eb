internal import Models

extension RowSet {
    /// Reads a bitmap; bits past `rowCount` must be zero.
    init(decoding bitmap: UnsafeBufferPointer<UInt8>, rowCount: Int) throws(WireError) {
        var words = [UInt64](repeating: 0, count: RowSet.wordCount(rowCount))
        words.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(bitmap)) }
        for index in words.indices { words[index] = UInt64(littleEndian: words[index]) }
        let last = words.last
        self.init(count: rowCount, words: words)
        guard self.words.last == last else { throw .corrupt(what: "presence bitmap") }
    }
}

extension Column {
    /// Reads the column of a directory entry from the section of 16-byte values and the inflated section.
    init(
        decoding entry: PayloadDirectory.Entry, rowCount: Int, plain: inout ByteReader, inflated: inout ByteReader
    ) throws(WireError) {
        let presence =
            entry.hasBitmap
            ? try RowSet(decoding: try inflated.bytes(entry.bitmapLength(rowCount)), rowCount: rowCount)
            : RowSet.full(rowCount)
        let beside = try plain.bytes(entry.plainLength), deflated = try inflated.bytes(entry.deflatedLength)
        let source = entry.encoding.isPlain ? beside : deflated
        self = .init(id: entry.id, encoding: entry.encoding, presence: presence, integers: [], bytes: [], ends: [])
        let isSound =
            switch entry.encoding {
            case .integer: readIntegers(source, isDelta: false, hasAbsent: entry.hasBitmap)
            case .delta: readIntegers(source, isDelta: true, hasAbsent: entry.hasBitmap)
            case .fixed16 where entry.isPacked: readPacked(beside, deflated)
            case .fixed16: readFixed16(source, hasAbsent: entry.hasBitmap)
            case .bytes, .plainBytes: readBytes(source)
            }
        guard isSound else { throw .corrupt(what: "values of column \(entry.id)") }
    }

    @inline(__always)
    private mutating func readIntegers(
        _ source: UnsafeBufferPointer<UInt8>, isDelta: Bool, hasAbsent: Bool
    ) -> Bool {
        guard var pointer = source.baseAddress else { return false }
        let end = pointer + source.count
        let rowCount = presence.count
        var isSound = true
        integers = [Int64](unsafeUninitializedCapacity: rowCount) { values, count in
            count = rowCount
            if hasAbsent {
                values.initialize(repeating: 0)
                isSound = presence.words.withUnsafeBufferPointer {
                    Column.readSparse(&pointer, end, isDelta: isDelta, words: $0, into: values)
                }
            } else {
                isSound = Column.readFull(&pointer, end, isDelta: isDelta, into: values)
            }
        }
        return isSound && pointer == end
    }

    @inline(__always)
    private static func readFull(
        _ pointer: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, isDelta: Bool,
        into values: UnsafeMutableBufferPointer<Int64>
    ) -> Bool {
        var previous: Int64 = 0
        for row in 0..<values.count {
            guard let number = Varint.read(at: &pointer, end: end) else {
                values[row...].initialize(repeating: 0)
                return false
            }
            previous = isDelta ? previous &+ Varint.unzigzag(number) : Varint.unzigzag(number)
            values.initializeElement(at: row, to: previous)
        }
        return true
    }

    @inline(__always)
    private static func readSparse(
        _ pointer: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, isDelta: Bool,
        words: UnsafeBufferPointer<UInt64>, into values: UnsafeMutableBufferPointer<Int64>
    ) -> Bool {
        var previous: Int64 = 0
        for index in 0..<words.count {
            var bits = words[index]
            while bits != 0 {
                guard let number = Varint.read(at: &pointer, end: end) else { return false }
                previous = isDelta ? previous &+ Varint.unzigzag(number) : Varint.unzigzag(number)
                values[index &* 64 &+ bits.trailingZeroBitCount] = previous
                bits &= bits &- 1
            }
        }
        return true
    }

    private mutating func readPacked(_ plain: UnsafeBufferPointer<UInt8>, _ deflated: UnsafeBufferPointer<UInt8>)
        -> Bool
    {
        guard let values = PackedIdentifiers.read(plain: plain, deflated: deflated, presence) else { return false }
        bytes = values
        return true
    }

    private mutating func readFixed16(_ source: UnsafeBufferPointer<UInt8>, hasAbsent: Bool) -> Bool {
        guard hasAbsent else {
            bytes = [UInt8](source)
            return true
        }
        guard 16 * presence.population == source.count else { return false }
        bytes = [UInt8](repeating: 0, count: 16 * presence.count)
        let source = UnsafeRawBufferPointer(source)
        bytes.withUnsafeMutableBytes { target in
            for (index, row) in presence.rows.enumerated() {
                (target.baseAddress! + 16 * Int(row)).copyMemory(
                    from: source.baseAddress! + 16 * index, byteCount: 16)
            }
        }
        return true
    }

    private mutating func readBytes(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
        guard var pointer = source.baseAddress else { return false }
        let end = pointer + source.count
        ends.reserveCapacity(presence.count)
        var total: UInt64 = 0
        for row in 0..<presence.count {
            if presence[row] {
                guard let length = Varint.read(at: &pointer, end: end), length <= UInt64(source.count) else {
                    return false
                }
                total += length
            }
            guard total <= UInt64(source.count) else { return false }
            ends.append(UInt32(total))
        }
        guard total == UInt64(end - pointer) else { return false }
        bytes = [UInt8](UnsafeBufferPointer(start: pointer, count: end - pointer))
        return true
    }
}
