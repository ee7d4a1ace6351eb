import Models

/// What tells base cells apart: bucket, programme, scope, stratum, population and place, as 128 bits in two numbers that sort.
///
///     high    bucket ÷ 300 s (28 bits) │ programme (8) │ scope, upper 28 bits
///     low     scope, lower 4 bits │ stratum (8) │ population (4) │ place (48)
///     place   last level-20 code inside the cell (40 bits) │ 20 − level (8);  all ones: no cell
///
/// In this order every cell comes right after the cells inside it, so that a pyramid of sums is built in one pass and
/// written to a B-tree in ascending order.
package struct PlaceKey: Hashable, Comparable {
    private(set) var high: UInt64
    private(set) var low: UInt64

    private static let placeBits: UInt64 = 48
    private static let bucketShift: UInt64 = 36
    static let noPlace = UInt64(1) << placeBits - 1
    /// Buckets of 5 minutes below this have keys: until the year 4521.
    static let buckets = Int64(1) << 28

    /// That of nothing, before every other.
    init() { (high, low) = (0, 0) }

    /// `level` 0 means no cell.
    @inline(__always)
    init(
        bucket: Int64, programme: UInt8, scope: UInt32, stratum: UInt8, population: CellKey.Population, level: Int64,
        code: Int64
    ) {
        let place =
            level == 0 ? PlaceKey.noPlace : PlaceKey.place(level: level, code: UInt64(truncatingIfNeeded: code))
        high =
            UInt64(truncatingIfNeeded: bucket) << PlaceKey.bucketShift | UInt64(programme) << 28 | UInt64(scope >> 4)
        low =
            UInt64(scope & 15) << 60 | UInt64(stratum) << 52 | UInt64(population.rawValue) << PlaceKey.placeBits
            | place
    }

    /// The same with another bucket.
    func with(bucket: Int64) -> PlaceKey {
        var key = self
        key.high =
            UInt64(truncatingIfNeeded: bucket) << PlaceKey.bucketShift | high & (1 << PlaceKey.bucketShift - 1)
        return key
    }

    @inline(__always)
    static func place(level: Int64, code: UInt64) -> UInt64 {
        let rest = UInt64(bitPattern: Int64(Quadkey.deepestLevel) - level)
        let last = (code + 1) << (2 * rest) - 1
        return (last << 8 | rest) & noPlace
    }

    /// The place of a cell, or of none.
    static func place(_ quadkey: Quadkey?) -> UInt64 {
        quadkey.map { place(level: Int64($0.level), code: $0.code) } ?? noPlace
    }

    /// The cell of a place; nil for none.
    static func quadkey(_ place: UInt64) -> Quadkey? {
        let rest = place & 0xff
        return place == noPlace
            ? nil : Quadkey(level: Quadkey.deepestLevel - Int(rest), code: (place >> 8) >> (2 * rest))
    }

    /// The place of the smallest cell that holds two.
    static func smallest(around one: UInt64, _ other: UInt64) -> UInt64 {
        if one == other { return one }
        if one == noPlace || other == noPlace { return noPlace }
        let rest = max(one & 0xff, other & 0xff)
        let code = (one >> 8) >> (2 * rest)
        let difference = code ^ (other >> 8) >> (2 * rest)
        let up = UInt64(UInt64.bitWidth - difference.leadingZeroBitCount + 1) / 2
        return place(level: Int64(Quadkey.deepestLevel) - Int64(rest + up), code: code >> (2 * up))
    }

    var bucket: Int64 { Int64(high >> PlaceKey.bucketShift) }
    var programme: UInt8 { UInt8(truncatingIfNeeded: high >> 28) }
    var scope: UInt32 { UInt32(truncatingIfNeeded: high << 4 | low >> 60) }
    var stratum: UInt8 { UInt8(truncatingIfNeeded: low >> 52) }
    var population: CellKey.Population { low >> PlaceKey.placeBits & 15 == 1 ? .shared : .unshared }
    var place: UInt64 { low & PlaceKey.noPlace }
    /// Everything but the place, which is 0.
    var group: PlaceKey {
        var key = self
        key.low &= ~PlaceKey.noPlace
        return key
    }
    var hasCell: Bool { place != PlaceKey.noPlace }
    var level: Int { Quadkey.deepestLevel - Int(low & 0xff) }
    /// Code of the cell at its own level.
    var code: UInt64 { (place >> 8) >> (2 * (low & 0xff)) }

    /// The level-13 cell of a place, in the order of places.
    static func neighbourhood(_ place: UInt64) -> UInt64 { place >> 22 }

    @inline(__always)
    package static func < (left: Self, right: Self) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}
