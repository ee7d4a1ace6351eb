package import GRDB
import Storage
package import Wire

/// All blocks of a day, one after the other.
extension OpenRowFile {
    /// The last block of each generation of each lane.
    package static func ends(_ db: Database) throws -> [BlockRange] {
        try Row.fetchAll(
            db,
            sql:
                "SELECT lane, generation, max(block) FROM open_rows GROUP BY lane, generation ORDER BY lane, generation"
        ).map { BlockRange(lane: $0[0], generation: $0[1], after: .min, through: $0[2]) }
    }

    /// The next blocks after one, in order, whether or not they are in one lane.
    package static func next(
        after: BlockKey, limit: Int, _ db: Database
    ) throws -> [(key: BlockKey, rows: EncodedColumns)] {
        let select = try PreparedStatement(
            db,
            """
            SELECT lane, generation, block, row_count, raw_length, crc32, payload FROM open_rows
            WHERE (lane, generation, block) > (?, ?, ?) ORDER BY lane, generation, block LIMIT ?
            """)
        after.bind(to: select)
        select.bind(Int64(limit), 4)
        var blocks: [(key: BlockKey, rows: EncodedColumns)] = []
        while try select.step() {
            blocks.append(
                (
                    BlockKey(
                        lane: UInt8(truncatingIfNeeded: select.integer(0)), generation: select.integer(1),
                        block: select.integer(2)),
                    EncodedColumns(
                        payload: Array(select.bytes(6)), rawLength: Int(select.integer(4)),
                        crc32: UInt32(truncatingIfNeeded: select.integer(5)), rowCount: Int(select.integer(3)))
                ))
        }
        return blocks
    }
}
