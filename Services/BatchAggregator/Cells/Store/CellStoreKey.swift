package import Foundation
package import Models

/// The key of a cell in the store: 22 bytes, in the order in which ``CellPyramid`` gives cells.
///
///      0  bucket 1        as in ``CellKey/bytes``
///      1  bucket start 8
///      9  programme 1
///     10  scope 4
///     14  stratum 1
///     15  population 1
///     16  place 6         of ``PlaceKey``: last level-20 code inside 5 │ 20 − level 1;  all ones: no cell
///
/// Big-endian. Not ``CellKey/bytes``, whose order is by level: here a cell stands next to the cells inside it, so that one pass
/// writes a B-tree from left to right.
package enum CellStoreKey {
    static let length = 22
    /// Where the start of the bucket begins, as SQLite counts bytes.
    package static let startColumn = 2

    static func write(_ cell: CellKey, to bytes: UnsafeMutableRawBufferPointer) {
        func store<Number: FixedWidthInteger>(_ number: Number, _ offset: Int) {
            bytes.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
        }
        store(cell.bucket.rawValue, 0)
        store(cell.bucketStart, 1)
        store(cell.programme, 9)
        store(cell.scope, 10)
        store(cell.stratum, 14)
        store(cell.population.rawValue, 15)
        let place = PlaceKey.place(cell.quadkey)
        store(UInt16(truncatingIfNeeded: place >> 32), 16)
        store(UInt32(truncatingIfNeeded: place), 18)
    }

    /// What keys of buckets of a size begin with, those from a time on.
    package static func bound(_ bucket: CellKey.Bucket, _ start: Int64? = nil) -> [UInt8] {
        [bucket.rawValue] + (start.map { Array(bytes(ofStart: $0)) } ?? [])
    }

    /// The bytes of a bucket's start, in whose order keys of one size of buckets are.
    package static func bytes(ofStart start: Int64) -> Data { withUnsafeBytes(of: start.bigEndian) { Data($0) } }

    package static func read(_ bytes: UnsafeRawBufferPointer) throws -> CellKey {
        func load<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        guard bytes.count == length, let bucket = CellKey.Bucket(rawValue: bytes[0]),
            let population = CellKey.Population(rawValue: bytes[15])
        else { throw AggregatorError.cellCorrupt("key of \(bytes.count) bytes") }
        guard bytes[21] < Quadkey.deepestLevel || bytes[21] == .max else {
            throw AggregatorError.cellCorrupt("level in a key")
        }
        let place = UInt64(load(16, UInt16.self)) << 32 | UInt64(load(18, UInt32.self))
        return CellKey(
            programme: bytes[9], bucket: bucket, bucketStart: load(1, Int64.self),
            quadkey: bytes[21] == .max ? nil : PlaceKey.quadkey(place),
            scope: load(10, UInt32.self), stratum: bytes[14], population: population)
    }
}
