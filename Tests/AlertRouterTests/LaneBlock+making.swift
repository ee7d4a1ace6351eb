import Lanes
import Models
import Wire

extension LaneBlock {
    /// A block as its writer would send it, of generation 7.
    init(
        _ lane: LaneName, _ number: UInt64, _ kind: RecordKind, _ columns: Columns,
        committedAt: UnixMilliseconds = 1_750_000_000_000, subjects: Set<UInt64> = []
    ) throws {
        var encoder = ColumnEncoder()
        let encoded = try encoder.encode(columns)
        let header = BlockHeader(
            generation: 7, number: number, previous: number - 1, kind: kind.id, kindVersion: kind.version,
            rowCount: columns.rowCount, keptRows: columns.rowCount, keyID: 0, committedAt: committedAt,
            subjects: subjects.sorted(), rawLength: encoded.rawLength, crc32: encoded.crc32)
        self.init(lane: lane, block: Block(header: header, payload: encoded.payload))
    }
}
