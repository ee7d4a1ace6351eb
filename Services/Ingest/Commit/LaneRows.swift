internal import Models
internal import Wire

/// The rows of one commit that go to one lane, by kind, and whose they are.
struct LaneRows {
    /// Rows of one upload in the table of their kind.
    private struct Piece {
        let batch: BatchID
        let kind: UInt8
        let rows: Range<Int>
    }

    let lane: LaneName
    private let isTraced: Bool
    private var tables: [(kind: RecordKind, columns: Columns)] = []
    private var pieces: [Piece] = []

    /// - Parameter traced: lanes of which ``traces(in:)`` is wanted.
    init(of lane: LaneName, in traced: Set<LaneName>) {
        self.lane = lane
        isTraced = traced.contains(lane)
    }

    /// Adds rows of an upload; nil: all.
    mutating func append(_ kind: RecordKind, _ columns: Columns, rows: [Int32]?, of batch: BatchID) {
        if let rows, rows.isEmpty { return }
        if isTraced {
            let first = tables.first { $0.kind.id == kind.id }?.columns.rowCount ?? 0
            pieces.append(
                Piece(batch: batch, kind: kind.id, rows: first..<first + (rows?.count ?? columns.rowCount)))
        }
        if let index = tables.firstIndex(where: { $0.kind.id == kind.id }) {
            tables[index].columns.append(columns, rows: rows)
        } else {
            tables.append((kind, rows.map(columns.gathered) ?? columns))
        }
    }

    /// Where the rows of each upload are in the blocks that were made of the tables, uploads in their order.
    func traces(in blocks: [Block]) -> [UploadTrace] {
        guard !pieces.isEmpty else { return [] }
        var begins: [UInt8: Int] = [:]
        var traces: [UploadTrace] = []
        for header in blocks.map(\.header) {
            let begin = begins[header.kind, default: 0], end = begin + header.rowCount
            begins[header.kind] = end
            let position = Position(lane: lane, generation: header.generation, block: header.number)
            for piece in pieces where piece.kind == header.kind && piece.rows.overlaps(begin..<end) {
                let rows = piece.rows.clamped(to: begin..<end)
                traces.append(
                    UploadTrace(
                        batchID: piece.batch, position: position,
                        rows: rows.lowerBound - begin...rows.upperBound - begin - 1))
            }
        }
        return traces
    }

    /// The rows with `received_at_ms`, which is that of the commit.
    func stamped(_ now: UnixMilliseconds) -> [(kind: RecordKind, columns: Columns)] {
        tables.map { kind, columns in
            let received = Column(
                id: ColumnID.receivedAt, encoding: .delta, presence: .full(columns.rowCount),
                integers: [Int64](repeating: now, count: columns.rowCount))
            return (kind, Columns(rowCount: columns.rowCount, columns: columns.columns + [received]))
        }
    }
}
