/// A set of the rows of a table: one bit per row.
///
///     row   0 1 2 … 63 | 64 …
///     word  bit 0 … 63 | bit 0 …     (bits past `count` are always zero)
///
/// A value type, confined like any other; all operations work a word at a time.
public struct RowSet: Sendable, Equatable {
    /// Rows the set speaks about, present or not.
    public private(set) var count: Int
    /// The bits, 64 rows a word, row 0 in the lowest bit.
    public private(set) var words: [UInt64]

    /// A set of `count` rows from its words; bits past `count` are cleared.
    public init(count: Int, words: [UInt64]) {
        precondition(count >= 0 && words.count == RowSet.wordCount(count), "a row set needs one word per 64 rows")
        self.count = count
        self.words = words
        clearTail()
    }

    /// All of `count` rows.
    public static func full(_ count: Int) -> RowSet {
        RowSet(count: count, words: [UInt64](repeating: .max, count: wordCount(count)))
    }

    /// None of `count` rows.
    public static func empty(_ count: Int) -> RowSet {
        RowSet(count: count, words: [UInt64](repeating: 0, count: wordCount(count)))
    }

    /// Whether `row` is in the set.
    public subscript(row: Int) -> Bool {
        get {
            precondition(row >= 0 && row < count, "row out of range")
            return words[row >> 6] >> UInt64(row & 63) & 1 == 1
        }
        set {
            precondition(row >= 0 && row < count, "row out of range")
            let bit: UInt64 = 1 << UInt64(row & 63)
            if newValue { words[row >> 6] |= bit } else { words[row >> 6] &= ~bit }
        }
    }

    /// Rows in the set.
    public var population: Int {
        words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Whether every row is in the set (true of no rows).
    public var isFull: Bool { population == count }

    /// Whether no row is in the set.
    public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// The rows in the set, ascending.
    public var rows: [Int32] {
        var rows: [Int32] = []
        rows.reserveCapacity(population)
        for (index, word) in words.enumerated() {
            var bits = word
            while bits != 0 {
                rows.append(Int32(index << 6 + bits.trailingZeroBitCount))
                bits &= bits &- 1
            }
        }
        return rows
    }

    /// Adds one row at the end.
    public mutating func append(_ isPresent: Bool) {
        if count & 63 == 0 { words.append(0) }
        if isPresent { words[count >> 6] |= 1 << UInt64(count & 63) }
        count += 1
    }

    /// Adds the rows of `other` at the end.
    public mutating func append(_ other: RowSet) {
        other.words.withUnsafeBufferPointer { append($0, count: other.count) }
    }

    /// Adds `count` rows at the end, given by their words; bits past `count` are zero.
    mutating func append(_ added: UnsafeBufferPointer<UInt64>, count: Int) {
        let shift = UInt64(self.count & 63)
        self.count += count
        guard shift != 0 else { return words.append(contentsOf: added) }
        let needed = RowSet.wordCount(self.count)
        for word in added {
            words[words.count - 1] |= word << shift
            if words.count < needed { words.append(word >> (64 - shift)) }
        }
    }

    /// Adds `count` rows that are not in the set at the end.
    mutating func appendAbsent(_ count: Int) {
        self.count += count
        let missing = RowSet.wordCount(self.count) - words.count
        if missing > 0 { words.append(contentsOf: repeatElement(0, count: missing)) }
    }

    /// Forgets all rows, keeping the memory.
    mutating func removeAll() {
        count = 0
        words.removeAll(keepingCapacity: true)
    }

    /// The set whose row `i` is this set's row `rows[i]`.
    public func gather(_ rows: [Int32]) -> RowSet {
        var words = [UInt64](repeating: 0, count: RowSet.wordCount(rows.count))
        for (target, row) in rows.enumerated() where self[Int(row)] {
            words[target >> 6] |= 1 << UInt64(target & 63)
        }
        return RowSet(count: rows.count, words: words)
    }

    static func wordCount(_ rows: Int) -> Int { (rows + 63) >> 6 }

    private mutating func clearTail() {
        let used = UInt64(count & 63)
        if used != 0 { words[words.count - 1] &= (1 << used) - 1 }
    }
}
