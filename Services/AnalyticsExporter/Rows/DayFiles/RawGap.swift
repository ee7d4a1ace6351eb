internal import GRDB
internal import Models
internal import Storage
internal import Wire

/// What erasure has left of a stored block: its payload has the other rows only, and zeros behind them up to its old length.
///
/// Rows keep the numbers they were stored under, because clients hold them in their cursors.
struct RawGap: Equatable {
    static let columns = "rows, length, raw_length, crc32"

    /// Numbers of the rows that are gone, ascending.
    let rows: [Int]
    /// Bytes of the stored payload that count; 0 if no row is left.
    let length: Int
    let rawLength: Int
    let crc32: UInt32

    init(rows: [Int], length: Int, rawLength: Int, crc32: UInt32) {
        self.rows = rows
        self.length = length
        self.rawLength = rawLength
        self.crc32 = crc32
    }

    /// Reads it from ``columns`` of a row, the first of which is `start`; nil where there is none.
    init?(_ row: Row, at start: Int) {
        guard let bytes = Blob.optionalBytes(row, start) else { return nil }
        rows = NumberList.numbers(in: bytes).map(Int.init)
        length = row[start + 1]
        rawLength = row[start + 2]
        crc32 = UInt32(truncatingIfNeeded: row[start + 3] as Int64)
    }

    /// Numbers of the rows that are left of so many, ascending.
    func numbers(of rowCount: Int) -> [Int] {
        var gone = rows[...]
        return (0..<rowCount).filter { number in
            guard gone.first == number else { return true }
            gone.removeFirst()
            return false
        }
    }
}

/// What remains of a block when rows were erased from it.
struct RawRest {
    let columns: Columns
    let gap: RawGap
    /// As it is stored, sealed if the block was.
    let payload: [UInt8]

    init(_ columns: Columns, _ gap: RawGap, _ payload: [UInt8]) {
        self.columns = columns
        self.gap = gap
        self.payload = payload
    }
}
