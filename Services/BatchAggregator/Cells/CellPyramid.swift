package import Models
import Storage

/// Takes the sums of a pyramid: those of the day, of its hours, of their 5 minutes; within one size of buckets in ascending
/// order of store keys, so that a cell comes after those inside it.
package protocol CellSink {
    mutating func add(_ sum: CellSum, to cell: CellKey) throws
}

/// Sums base cells to all coarser cells and buckets, in one pass over cells in the order of ``PlaceKey``.
///
///     level 16 ─▶ 15 ─▶ … ─▶ 6      each level holds one open sum; when the next base cell lies outside it,
///                                   the sum goes to the sink and is added to its parent's
///
/// Exact integers: the same result as counting every row in every cell. Keeps its memory between slices.
package struct CellPyramid {
    private var sums = [CellSum](repeating: CellSum(), count: Quadkey.deepestLevel + 1)
    private var codes = [UInt64?](repeating: nil, count: Quadkey.deepestLevel + 1)
    private var scratch = CellSum.Scratch()
    private var unpacked: [CellHistograms.Entry] = []
    private var order: [(key: PlaceKey, number: Int)] = []

    package init() {}

    /// Hands all cells that the rows of a slice fall into to a sink; the slice's rows are of the local day `day`.
    ///
    /// The day before hours before 5 minutes: what a longer bucket takes from a shorter one is its state before the slice.
    package mutating func add(_ slice: inout RowSlice, day: Int64, to sink: inout some CellSink) throws {
        removeAll()
        try add(&slice, .day(day), to: &sink)
        try add(&slice, .hour, to: &sink)
        try add(&slice, .fiveMinutes, to: &sink)
    }

    /// Forgets what is left of a slice that failed.
    private mutating func removeAll() {
        for level in codes.indices where codes[level] != nil {
            codes[level] = nil
            sums[level].removeAll()
        }
    }

    private mutating func add(_ slice: inout RowSlice, _ size: BucketSize, to sink: inout some CellSink) throws {
        order.removeAll(keepingCapacity: true)
        for (number, key) in slice.keys.enumerated() { order.append((size.coarse(key), number)) }
        order.sort { $0.key < $1.key }
        var group: PlaceKey?
        for (key, number) in order {
            IdleTurn.giveWay()
            if let group, group != key.group { try close(0, size, group, to: &sink) }
            group = key.group
            let level = key.hasCell ? key.level : 0
            try close(outside: key, level, size, to: &sink)
            codes[level] = key.hasCell ? key.code : 0
            sums[level].source.join(CellSource(bucket: slice.keys[number].bucket, place: key.place))
            slice.add(number, to: &sums[level], scratch: &scratch, unpacked: &unpacked)
        }
        if let group { try close(0, size, group, to: &sink) }
    }

    /// Closes the sums that do not hold a base cell.
    private mutating func close(
        outside key: PlaceKey, _ level: Int, _ size: BucketSize, to sink: inout some CellSink
    ) throws {
        for open in stride(from: Quadkey.deepestLevel, through: Quadkey.coarsestLevel, by: -1) {
            guard let code = codes[open] else { continue }
            if open <= level && key.code >> UInt64(2 * (level - open)) == code { return }
            try close(open, code, size, key, to: &sink)
        }
    }

    /// Closes everything, the sum of rows without a cell (level 0) included.
    private mutating func close(
        _ level: Int, _ size: BucketSize, _ key: PlaceKey, to sink: inout some CellSink
    ) throws {
        for open in stride(from: Quadkey.deepestLevel, through: 0, by: -1) {
            if let code = codes[open] { try close(open, code, size, key, to: &sink) }
        }
    }

    private mutating func close(
        _ level: Int, _ code: UInt64, _ size: BucketSize, _ key: PlaceKey, to sink: inout some CellSink
    ) throws {
        let quadkey = level == 0 ? nil : Quadkey(level: level, code: code)
        try sink.add(sums[level], to: size.cell(key, quadkey))
        codes[level] = nil
        if level > Quadkey.coarsestLevel { addToParent(level, code >> 2) }
        sums[level].removeAll()
    }

    private mutating func addToParent(_ level: Int, _ code: UInt64) {
        if codes[level - 1] == nil {
            codes[level - 1] = code
            sums.swapAt(level - 1, level)
        } else {
            let child = sums[level]
            sums[level - 1].add(child, scratch: &scratch)
        }
    }
}

/// One of the three sizes of buckets: 5 minutes, an hour of UTC, a local day.
struct BucketSize {
    let bucket: CellKey.Bucket
    /// Buckets of 5 minutes in one; nil for the day, whose begin is given.
    let fine: Int64?
    let day: Int64

    static let fiveMinutes = BucketSize(bucket: .fiveMinutes, fine: 1, day: 0)
    static let hour = BucketSize(bucket: .hour, fine: 12, day: 0)
    static func day(_ day: Int64) -> BucketSize { BucketSize(bucket: .day, fine: nil, day: day) }

    /// The key with its bucket replaced by the number of the bucket of this size.
    func coarse(_ key: PlaceKey) -> PlaceKey { key.with(bucket: fine.map { key.bucket / $0 } ?? 0) }

    /// The cell of a coarse key at a place.
    func cell(_ key: PlaceKey, _ quadkey: Quadkey?) -> CellKey {
        CellKey(
            programme: key.programme, bucket: bucket,
            bucketStart: fine.map { key.bucket * $0 * OpenRowColumn.bucketSeconds } ?? day, quadkey: quadkey,
            scope: key.scope, stratum: key.stratum, population: key.population)
    }
}
