import Foundation
import Models

/// The key of a cell in the store: 22 bytes, in the order in which ``CellPyramid`` gives cells.
///
///     bucket seconds 4 │ bucket start 8 │ plmn 4 │ technology 1 │ last level-16 code inside 4 │ 16 − level 1
///
/// Big-endian; no cell is all ones in the last five bytes. Not ``CellKey/bytes``, whose order is by level: here a cell
/// stands next to the cells inside it, so that one pass writes a B-tree from left to right.
enum CellStoreKey {
    static let length = 22

    static func write(_ cell: CellKey, to bytes: UnsafeMutableRawBufferPointer) {
        func store<Number: FixedWidthInteger>(_ number: Number, _ offset: Int) {
            bytes.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
        }
        store(cell.bucketSeconds, 0)
        store(cell.bucketStart, 4)
        store(UInt32(truncatingIfNeeded: cell.plmn.rawValue), 12)
        store(UInt8(truncatingIfNeeded: cell.technology.rawValue), 16)
        let place = PlaceKey.place(cell.quadkey)
        store(UInt32(truncatingIfNeeded: place >> 8), 17)
        store(UInt8(truncatingIfNeeded: place), 21)
    }

    /// The bytes of a bucket's start, in whose order keys of one size of buckets are.
    static func bytes(ofStart start: Int64) -> Data { withUnsafeBytes(of: start.bigEndian) { Data($0) } }

    static func read(_ bytes: UnsafeRawBufferPointer) throws -> CellKey {
        func load<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        guard bytes.count == length, let technology = Technology(rawValue: Int64(load(16, UInt8.self))) else {
            throw AggregatorError.cellCorrupt("key of \(bytes.count) bytes")
        }
        let rest = load(21, UInt8.self)
        guard rest <= Quadkey.finestLevel || rest == .max else { throw AggregatorError.cellCorrupt("level in a key") }
        let quadkey =
            rest == .max
            ? nil
            : Quadkey(
                level: Quadkey.finestLevel - Int(rest), code: UInt64(load(17, UInt32.self)) >> UInt64(2 * Int(rest)))
        return CellKey(
            bucketSeconds: load(0, UInt32.self), bucketStart: load(4, Int64.self), quadkey: quadkey,
            plmn: PLMN(rawValue: Int64(load(12, UInt32.self))), technology: technology)
    }
}
