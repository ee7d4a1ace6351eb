/// Where the records of a day are cut, such that parts have about as many bytes.
///
/// Between level-13 cells where that can be done: so a cell that holds many places is changed by few parts, and a page of cells
/// too. Within one that has much more than a part should have, between places; within such a place, between devices.
struct FoldCuts {
    /// Bytes at each place that has records, ascending.
    private let sizes: [(place: UInt64, bytes: Int)]
    private let range: FoldRange
    private let total: Int
    /// Parts, and how many bytes each should have, at least one.
    private let count, share: Int
    /// The last keys of the parts, ascending; the last one is that of the range.
    private(set) var ends: [UInt64] = []
    private var before = 0
    private var part = 0

    /// - Parameters:
    ///   - keys: base cells.
    ///   - lengths: bytes of each with its records.
    ///   - parts: how many there should be, about.
    init(_ keys: [PlaceKey], _ lengths: [Int], range: FoldRange, parts: Int) {
        self.range = range
        sizes = FoldCuts.sizes(keys, lengths)
        total = max(lengths.reduce(0, +), 1)
        count = max(parts, 1)
        share = max(total / count, 1)
        var start = 0
        while start < sizes.count {
            let neighbourhood = PlaceKey.neighbourhood(sizes[start].place)
            var end = start, size = 0
            while end < sizes.count, PlaceKey.neighbourhood(sizes[end].place) == neighbourhood {
                size += sizes[end].bytes
                end += 1
            }
            cut(start..<end, isMuch: isMuch(size))
            start = end
        }
        ends.append(range.last)
    }

    /// The places of one level-13 cell.
    private mutating func cut(_ places: Range<Int>, isMuch: Bool) {
        for index in places {
            let now = before * count / total
            if now > part, index > 0, index == places.lowerBound || isMuch {
                ends.append(FoldRange(place: sizes[index - 1].place).last)
                part = now
            }
            if self.isMuch(sizes[index].bytes) { cutDevices(of: index) }
            before += sizes[index].bytes
        }
    }

    private mutating func cutDevices(of index: Int) {
        guard let whole = FoldRange(place: sizes[index].place).common(range) else { return }
        let pieces = 1 + UInt64(sizes[index].bytes - 1) / UInt64(share)
        let devices = whole.last - whole.first + 1
        guard devices > pieces else { return }
        for piece in 1..<pieces { ends.append(whole.first + devices * piece / pieces - 1) }
    }

    private func isMuch(_ bytes: Int) -> Bool { bytes > share + share / 2 }

    private static func sizes(_ keys: [PlaceKey], _ lengths: [Int]) -> [(place: UInt64, bytes: Int)] {
        var sizes = zip(keys, lengths).map { (place: $0.place, bytes: $1) }
        sizes.sort { $0.place < $1.place }
        var count = 0
        for index in sizes.indices {
            let size = sizes[index]
            if count > 0, sizes[count - 1].place == size.place {
                sizes[count - 1].bytes += size.bytes
            } else {
                sizes[count] = size
                count += 1
            }
        }
        sizes.removeLast(sizes.count - count)
        return sizes
    }
}
