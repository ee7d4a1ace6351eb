internal import CSimdjson
internal import Wire

/// Memory for reading one upload: the inflated body, a value for each row and slot, and what is wrong with rows.
///
/// Kept between uploads so that reading one costs no allocation but that of its result. Confined to whoever took it from
/// the ``ScratchPool``.
final class RowScratch {
    /// Memory that begins with the inflated body; behind its padding may lie bytes of earlier ones.
    private(set) var body: [UInt8] = []
    /// Bytes of the body; at least `NKUL_PADDING` bytes, the first of them zeros, are behind it.
    private(set) var bodyLength = 0
    private var inflater: BodyInflater
    let parser: OpaquePointer
    private(set) var capacity = 0
    private(set) var wordCount = 0
    private(set) var integers: [UnsafeMutablePointer<Int64>] = []
    private(set) var identifiers: [UnsafeMutablePointer<UInt8>] = []
    private(set) var presence: [UnsafeMutablePointer<UInt64>] = []
    /// Values that the parser left out, one bit a row; `integers` have why.
    private(set) var left: [UnsafeMutablePointer<UInt64>] = []
    /// Values that were rounded to an end of a range beyond which they lie, one bit a row.
    private(set) var beyond: [UnsafeMutablePointer<UInt64>] = []
    /// True if a bit of ``left`` or ``beyond`` may be set.
    private(set) var hasOddities = false
    private(set) var faults: UnsafeMutablePointer<nkul_fault>
    /// One bit a row: it is rejected.
    private(set) var bad: UnsafeMutablePointer<UInt64>
    /// A hash of each row's content.
    private(set) var hashes: UnsafeMutablePointer<UInt64>
    /// Places that consent changed, one bit a row.
    private(set) var reduced: UnsafeMutablePointer<UInt64>
    private(set) var text: UnsafeMutablePointer<UInt8>
    private var textCapacity = 0
    private let slots: Int

    /// - Parameter depthLimit: levels and members of a JSON row.
    init(slots: Int, rows: Int, inflatedLimit: Int, depthLimit: Int = 64, memberLimit: Int = .max) {
        guard let parser = nkul_parser_create() else { fatalError("out of memory") }
        nkul_parser_limit(parser, UInt8(clamping: depthLimit), UInt32(clamping: memberLimit))
        self.parser = parser
        self.slots = slots
        inflater = BodyInflater(limit: inflatedLimit)
        faults = .allocate(capacity: 1)
        bad = .allocate(capacity: 1)
        hashes = .allocate(capacity: 1)
        reduced = .allocate(capacity: 1)
        text = .allocate(capacity: 1)
        grow(rows: rows)
    }

    deinit {
        release()
        text.deallocate()
        nkul_parser_destroy(parser)
    }

    /// Copies or inflates a body into ``body``.
    func load(_ bytes: UnsafeRawBufferPointer, isCompressed: Bool) throws(WireError) {
        let padding = Int(NKUL_PADDING)
        if isCompressed {
            bodyLength = try inflater.inflate(bytes, into: &body, padding: padding)
        } else {
            let missing = bytes.count + padding - body.count
            if missing > 0 { body.append(contentsOf: repeatElement(0, count: missing)) }
            bodyLength = bytes.count
            body.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
        }
        for place in bodyLength..<bodyLength + padding { body[place] = 0 }
        growText(bodyLength + padding)
    }

    /// Takes other bytes for the body.
    func replace(_ bytes: consuming [UInt8]) {
        bodyLength = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: Int(NKUL_PADDING)))
        body = bytes
        growText(body.count)
    }

    /// At most 40 bytes of a value as it was written, always printable, and never bytes of an earlier body.
    func excerpt(offset: Int, length: Int) -> String {
        guard offset < bodyLength, length > 0 else { return "" }
        let text = String(decoding: body[offset..<min(offset + min(length, 40), bodyLength)], as: UTF8.self)
        let printable = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
        return length > 40 ? printable + "…" : printable
    }

    /// Makes room for at least so many rows; what was in it is lost.
    func grow(rows: Int) {
        release()
        wordCount = (rows + 63) / 64
        capacity = wordCount * 64
        integers = (0..<slots).map { _ in .allocate(capacity: capacity) }
        identifiers = (0..<slots).map { slot in .allocate(capacity: slot < 16 ? capacity * 16 : 1) }
        presence = (0..<slots).map { _ in words() }
        left = (0..<slots).map { _ in words() }
        beyond = (0..<slots).map { _ in words() }
        faults = .allocate(capacity: capacity)
        bad = words()
        hashes = .allocate(capacity: capacity)
        reduced = words()
    }

    /// A bit for each row, none set.
    private func words() -> UnsafeMutablePointer<UInt64> {
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: wordCount)
        words.initialize(repeating: 0, count: wordCount)
        return words
    }

    /// Makes room for the texts of a body.
    func growText(_ bytes: Int) {
        guard bytes > textCapacity else { return }
        text.deallocate()
        textCapacity = max(65_536, bytes)
        text = .allocate(capacity: textCapacity)
    }

    /// Forgets the first `rows` rows.
    func clear(rows: Int) {
        let words = min(wordCount, (rows + 63) / 64)
        for slot in presence { slot.update(repeating: 0, count: words) }
        if hasOddities { for slot in left + beyond { slot.update(repeating: 0, count: words) } }
        hasOddities = false
        bad.update(repeating: 0, count: words)
        reduced.update(repeating: 0, count: words)
    }

    /// True if it is too large to be kept for the next upload.
    var isOversized: Bool { capacity > 4_096 || body.capacity > 2_000_000 || textCapacity > 1_000_000 }

    private func release() {
        (integers.map { UnsafeMutableRawPointer($0) } + identifiers.map { UnsafeMutableRawPointer($0) }
            + (presence + left + beyond).map { UnsafeMutableRawPointer($0) }).forEach { $0.deallocate() }
        faults.deallocate()
        bad.deallocate()
        hashes.deallocate()
        reduced.deallocate()
    }

    func isPresent(_ slot: Int, _ row: Int) -> Bool { presence[slot][row >> 6] >> UInt64(row & 63) & 1 == 1 }
    func isBeyond(_ slot: Int, _ row: Int) -> Bool {
        hasOddities && beyond[slot][row >> 6] >> UInt64(row & 63) & 1 == 1
    }
    func isBad(_ row: Int) -> Bool { bad[row >> 6] >> UInt64(row & 63) & 1 == 1 }
    func mark(_ slot: Int, _ row: Int) { presence[slot][row >> 6] |= 1 << UInt64(row & 63) }
    /// The parser left values out, or rounded some to an end of a range.
    func markOddities() { hasOddities = true }
    func remove(_ slot: Int, _ row: Int) { presence[slot][row >> 6] &= ~(1 << UInt64(row & 63)) }
    func reject(_ row: Int) { bad[row >> 6] |= 1 << UInt64(row & 63) }
    /// Sets a value of 16 bytes.
    func setIdentifier(_ slot: Int, _ row: Int, _ bytes: [UInt8]) {
        for (place, byte) in bytes.prefix(16).enumerated() { identifiers[slot][16 * row + place] = byte }
        presence[slot][row >> 6] |= 1 << UInt64(row & 63)
    }
    func reduce(_ row: Int) { reduced[row >> 6] |= 1 << UInt64(row & 63) }
    func value(_ slot: Int, _ row: Int) -> Int64? { isPresent(slot, row) ? integers[slot][row] : nil }

    /// The bits that stand for rows in a word, of so many rows in all.
    static func mask(_ word: Int, rows: Int) -> UInt64 {
        let left = rows - word * 64
        return left >= 64 ? .max : left <= 0 ? 0 : (1 << UInt64(left)) - 1
    }
}
