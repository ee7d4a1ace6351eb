import Models
import Wire

/// Random tables of every encoding, density and magnitude.
enum SeededTables {
    static func table(_ dice: inout SplitMix64, rowCount: Int? = nil) -> Columns {
        let rowCount = rowCount ?? Int.random(in: 0...300, using: &dice)
        var columns: [Column] = []
        for id in UInt8.min...UInt8.max where Int.random(in: 0..<12, using: &dice) == 0 {
            let encoding = ColumnEncoding.allCases.randomElement(using: &dice)!
            columns.append(column(id, encoding, rowCount, &dice))
        }
        return Columns(rowCount: rowCount, columns: columns)
    }

    static func column(_ id: UInt8, _ encoding: ColumnEncoding, _ rowCount: Int, _ dice: inout SplitMix64) -> Column {
        let permille = [0, 1, 500, 990, 1000].randomElement(using: &dice)!
        var presence = RowSet.empty(rowCount)
        for row in 0..<rowCount { presence[row] = Int.random(in: 0..<1000, using: &dice) < permille }
        switch encoding {
        case .integer, .delta:
            let magnitude = [Int64.max, 1, 100, 1 << 40].randomElement(using: &dice)!
            let values = (0..<rowCount).map { row -> Int64 in
                guard presence[row] else { return 0 }
                if Int.random(in: 0..<40, using: &dice) == 0 {
                    return [.min, .max, 0, -1].randomElement(using: &dice)!
                }
                return Int64.random(in: -magnitude...magnitude, using: &dice)
            }
            return Column(id: id, encoding: encoding, presence: presence, integers: values)
        case .fixed16:
            let bytes = (0..<16 * rowCount).map { presence[$0 / 16] ? UInt8.random(in: 0...255, using: &dice) : 0 }
            return Column(id: id, presence: presence, fixed16: bytes)
        case .bytes, .plainBytes:
            var bytes: [UInt8] = [], ends: [UInt32] = []
            for row in 0..<rowCount {
                let length = presence[row] ? [0, 1, 22, 200].randomElement(using: &dice)! : 0
                bytes += (0..<length).map { _ in UInt8.random(in: 0...255, using: &dice) }
                ends.append(UInt32(bytes.count))
            }
            return Column(
                id: id, presence: presence, bytes: bytes, ends: ends, isPlain: encoding == .plainBytes)
        }
    }
}

extension Columns {
    /// The table without columns that have no value, which is what comes back from a payload.
    var withoutEmptyColumns: Columns {
        Columns(rowCount: rowCount, columns: columns.filter { !$0.presence.isEmpty })
    }
}

extension ColumnDecoder {
    mutating func decode(_ encoded: EncodedColumns) throws(WireError) -> Columns {
        try decode(
            encoded.payload, rowCount: encoded.rowCount, rawLength: encoded.rawLength, crc32: encoded.crc32)
    }
}
