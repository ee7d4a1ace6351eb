import Models

/// Bucket, network, technology and cell of a base cell in two numbers that sort.
///
///     time    bucket ÷ 300 (36 bits) │ plmn (24) │ technology (4)
///     place   last level-16 code inside the cell (32 bits) │ 16 − level (8);  all ones: no cell
///
/// In this order every cell comes right after the cells inside it, so that a pyramid of sums is built in one pass and
/// written to a B-tree in ascending order.
struct PlaceKey: Hashable, Comparable {
    var time: UInt64
    var place: UInt64

    static let noPlace = UInt64(1) << 40 - 1

    /// `level` 0 means no cell.
    @inline(__always)
    init(bucket: Int64, plmn: Int64, technology: Int64, level: Int64, code: Int64) {
        time =
            UInt64(truncatingIfNeeded: bucket) << 28 | UInt64(truncatingIfNeeded: plmn & 0xff_ffff) << 4
            | UInt64(truncatingIfNeeded: technology & 15)
        place = level == 0 ? PlaceKey.noPlace : PlaceKey.place(level: level, code: UInt64(truncatingIfNeeded: code))
    }

    @inline(__always)
    static func place(level: Int64, code: UInt64) -> UInt64 {
        let shift = UInt64(2 * (Int64(Quadkey.finestLevel) - level))
        let last = (code + 1) << shift - 1
        return last << 8 | UInt64(Int64(Quadkey.finestLevel) - level)
    }

    /// The place of a cell, or of none.
    static func place(_ quadkey: Quadkey?) -> UInt64 {
        quadkey.map { place(level: Int64($0.level), code: $0.code) } ?? noPlace
    }

    /// The cell of a place; nil for none.
    static func quadkey(_ place: UInt64) -> Quadkey? {
        let rest = place & 0xff
        return place == noPlace
            ? nil : Quadkey(level: Quadkey.finestLevel - Int(rest), code: (place >> 8) >> (2 * rest))
    }

    /// The place of the smallest cell that holds two.
    static func smallest(around one: UInt64, _ other: UInt64) -> UInt64 {
        if one == other { return one }
        if one == noPlace || other == noPlace { return noPlace }
        let rest = max(one & 0xff, other & 0xff)
        let code = (one >> 8) >> (2 * rest)
        let difference = code ^ (other >> 8) >> (2 * rest)
        let up = UInt64(UInt64.bitWidth - difference.leadingZeroBitCount + 1) / 2
        return place(level: Int64(Quadkey.finestLevel) - Int64(rest + up), code: code >> (2 * up))
    }

    var bucket: Int64 { Int64(time >> 28) }
    /// PLMN and technology.
    var network: UInt64 { time & 0xfff_ffff }
    var plmn: PLMN { PLMN(rawValue: Int64(time >> 4 & 0xff_ffff)) }
    var technology: Technology { Technology(rawValue: Int64(time & 15)) ?? .unknown }
    var hasCell: Bool { place != PlaceKey.noPlace }
    var level: Int { Quadkey.finestLevel - Int(place & 0xff) }
    /// Code of the cell at its own level.
    var code: UInt64 { (place >> 8) >> UInt64(2 * (place & 0xff)) }

    /// The level-13 cell of a place, in the order of places.
    static func neighbourhood(_ place: UInt64) -> UInt64 { place >> 14 }

    @inline(__always)
    static func < (left: Self, right: Self) -> Bool {
        left.time != right.time ? left.time < right.time : left.place < right.place
    }
}
