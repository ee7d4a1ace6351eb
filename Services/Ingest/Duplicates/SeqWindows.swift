import IngestUploads

/// What is remembered of records that carry the device's own counter: pages of 64 counters.
///
///     page   base = seq >> 6 │ bitmap, 64 bits │ day of the last change │ first mark
///     mark   16 bits of the id's hash │ 16 bits of the content's hash << 16     one per set bit, in order
///
/// A record costs 4 bytes and an eighth of a third of one. Two different ids or contents of one counter look alike with
/// probability 2⁻¹⁶, and then count as the same record: that needs a device that uses a counter twice.
struct SeqWindows: Equatable {
    struct Page: Equatable {
        let base: UInt64
        var bitmap: UInt64
        /// Days since 1970 (by the commit's clock).
        var day: UInt32
        var start: Int
    }

    /// What a counter was used for before.
    enum Finding: Equatable {
        case unknown
        /// The same record.
        case duplicate
        /// The same id with other content.
        case conflict
        /// Another id.
        case reused
    }

    private(set) var pages: [Page] = []
    private(set) var marks: [UInt32] = []

    init() {}

    init(pages: [Page], marks: [UInt32]) {
        self.pages = pages
        self.marks = marks
    }

    var isEmpty: Bool { pages.isEmpty }
    /// The highest counter; 0 if there is none.
    var highest: Int64 { pages.last.map { Int64($0.base) << 6 | Int64(63 - $0.bitmap.leadingZeroBitCount) } ?? 0 }

    /// What a counter was used for; if nothing, it is remembered for this record.
    mutating func claim(_ identity: RowIdentity, day: UInt32) -> Finding {
        let base = UInt64(bitPattern: identity.seq) >> 6, bit: UInt64 = 1 << UInt64(identity.seq & 63)
        let index = place(of: base)
        if index == pages.count || pages[index].base != base {
            let start = index == pages.count ? marks.count : pages[index].start
            pages.insert(Page(base: base, bitmap: 0, day: day, start: start), at: index)
        }
        let mark = pages[index].start + (pages[index].bitmap & (bit - 1)).nonzeroBitCount
        let wanted = Self.mark(identity)
        if pages[index].bitmap & bit != 0 {
            let known = marks[mark]
            if known == wanted { return .duplicate }
            return known & 0xFFFF == wanted & 0xFFFF ? .conflict : .reused
        }
        marks.insert(wanted, at: mark)
        pages[index].bitmap |= bit
        pages[index].day = day
        for later in index + 1..<max(pages.count, index + 1) { pages[later].start += 1 }
        return .unknown
    }

    /// What a counter was used for; remembers nothing.
    func finding(_ identity: RowIdentity) -> Finding {
        let base = UInt64(bitPattern: identity.seq) >> 6, bit: UInt64 = 1 << UInt64(identity.seq & 63)
        let index = place(of: base)
        guard index < pages.count, pages[index].base == base, pages[index].bitmap & bit != 0 else { return .unknown }
        let known = marks[pages[index].start + (pages[index].bitmap & (bit - 1)).nonzeroBitCount],
            wanted = Self.mark(identity)
        if known == wanted { return .duplicate }
        return known & 0xFFFF == wanted & 0xFFFF ? .conflict : .reused
    }

    /// Forgets pages that were last changed before a day; false if there were none.
    mutating func prune(before day: UInt32) -> Bool {
        guard pages.contains(where: { $0.day < day }) else { return false }
        var kept = SeqWindows()
        for (index, page) in pages.enumerated() where page.day >= day {
            let end = index + 1 < pages.count ? pages[index + 1].start : marks.count
            var page = page
            let range = page.start..<end
            page.start = kept.marks.count
            kept.pages.append(page)
            kept.marks.append(contentsOf: marks[range])
        }
        self = kept
        return true
    }

    /// These counters and others; of one that both have, the record of this.
    func union(_ other: SeqWindows) -> SeqWindows {
        var union = SeqWindows(), mine = pages[...], theirs = other.pages[...]
        while mine.first != nil || theirs.first != nil {
            let base = min(mine.first?.base ?? .max, theirs.first?.base ?? .max)
            let left = mine.first?.base == base ? mine.removeFirst() : nil
            let right = theirs.first?.base == base ? theirs.removeFirst() : nil
            let bitmap = (left?.bitmap ?? 0) | (right?.bitmap ?? 0)
            union.pages.append(
                Page(
                    base: base, bitmap: bitmap, day: max(left?.day ?? 0, right?.day ?? 0), start: union.marks.count))
            var bits = bitmap
            while bits != 0 {
                let bit = bits & ~(bits - 1)
                bits &= bits - 1
                if let left, left.bitmap & bit != 0 {
                    union.marks.append(marks[left.start + (left.bitmap & (bit - 1)).nonzeroBitCount])
                } else if let right {
                    union.marks.append(other.marks[right.start + (right.bitmap & (bit - 1)).nonzeroBitCount])
                }
            }
        }
        return union
    }

    private func place(of base: UInt64) -> Int {
        guard let last = pages.last, last.base >= base else { return pages.count }
        if last.base == base { return pages.count - 1 }
        var low = 0, high = pages.count
        while low < high {
            let middle = (low + high) / 2
            if pages[middle].base < base { low = middle + 1 } else { high = middle }
        }
        return low
    }

    static func mark(_ identity: RowIdentity) -> UInt32 {
        UInt32(truncatingIfNeeded: identity.id >> 48) | UInt32(truncatingIfNeeded: identity.content >> 48) << 16
    }
}
