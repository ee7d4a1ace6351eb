import Models
import Wire

/// Rows for tests: `seq` counts on, so that order and completeness can be seen.
enum SampleRows {
    /// Reports with seq `first …`, devices in turn.
    static func reports(_ count: Int, from first: Int64 = 1, devices: Int64 = 3) -> Columns {
        let numbers = (0..<Int64(count)).map { first + $0 }
        return Columns(
            rowCount: count,
            columns: [
                Column(id: ColumnID.seq, encoding: .delta, values: numbers),
                Column(id: ColumnID.device, values: numbers.map { $0 % devices + 1 }),
                Column(id: ColumnID.latency, values: numbers.map { $0 % 4 == 0 ? nil : 200 + $0 % 97 }),
            ])
    }

    /// The seq of every row of blocks, in order.
    static func sequence(_ blocks: [Block]) throws -> [Int64] {
        var decoder = ColumnDecoder()
        return try blocks.flatMap { try $0.columns(with: &decoder)[ColumnID.seq]?.integers ?? [] }
    }

    /// Records of a state lane: key and text, nil for a removal.
    static func states(_ records: [(key: String, text: String?)]) -> Columns {
        Columns(
            rowCount: records.count,
            columns: [
                Column(id: ColumnID.key, strings: records.map { Array($0.key.utf8) }),
                Column(id: ColumnID.document, strings: records.map { $0.text.map { Array($0.utf8) } }),
            ])
    }

    /// What a reader of a state lane has after blocks.
    static func apply(_ blocks: [Block], to state: inout [String: String]) throws {
        var decoder = ColumnDecoder()
        for block in blocks {
            let columns = try block.columns(with: &decoder)
            let keys = columns[ColumnID.key]!, texts = columns[ColumnID.document]
            for row in 0..<columns.rowCount {
                let key = String(decoding: keys.value(row)!, as: UTF8.self)
                state[key] = texts?.value(row).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    /// A block made by hand, with a payload of so many bytes.
    static func block(_ number: UInt64, kind: UInt8 = 1, version: UInt8 = 1, generation: UInt64 = 7, payload: Int = 10)
        -> Block
    {
        Block(
            header: BlockHeader(
                generation: generation, number: number, previous: number - 1, kind: kind, kindVersion: version,
                rowCount: 1,
                keptRows: 1, keyID: 0, committedAt: 0, subjects: [1, 2], rawLength: 0, crc32: 0),
            payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: payload))
    }
}
