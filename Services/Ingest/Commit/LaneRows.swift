internal import GRDB
internal import IngestSupport
internal import IngestUploads
internal import Lanes
internal import Models
internal import Wire

/// The rows of one commit that go to one lane: gathered by kind, and appended to the journal whenever a block is full.
///
/// Its tables keep their memory from commit to commit. Confined to the engine's thread.
final class LaneRows {
    /// Rows of one upload among those of their kind in this commit.
    private struct Piece {
        let batch: BatchID
        let kind: UInt8
        let rows: Range<Int>
    }

    private struct Table {
        let kind: RecordKind
        var columns = Columns(rowCount: 0)
        /// Rows of this commit that are in blocks already.
        var appended = 0
    }

    private let journal: Journal
    private var encoder: ColumnEncoder
    private var tables: [Table] = []
    private var pieces: [Piece] = []
    private var isTraced = false
    private var blocks: [Block] = []

    /// - Parameter encoder: shares its memory with its copies.
    init(_ journal: Journal, _ encoder: ColumnEncoder) {
        self.journal = journal
        self.encoder = encoder
    }

    var lane: LaneName { journal.lane }

    /// Begins a commit; whatever an earlier one left that failed is forgotten.
    ///
    /// - Parameter isTraced: whether ``traces`` is wanted.
    func begin(isTraced: Bool) {
        self.isTraced = isTraced
        for place in tables.indices {
            tables[place].columns.removeAllRows()
            tables[place].appended = 0
        }
        pieces.removeAll(keepingCapacity: true)
        blocks.removeAll()
    }

    /// Adds rows of an upload; nil: all.
    func append(
        _ kind: RecordKind, _ columns: PackedColumns, rows: [Int32]?, of batch: BatchID, _ db: Database,
        now: UnixMilliseconds
    ) throws {
        let count = rows?.count ?? columns.rowCount
        guard count > 0 else { return }
        let place = place(of: kind), waiting = tables[place].columns.rowCount
        if waiting > 0, waiting + count > journal.blockRows(of: kind) { try flush(place, db, now: now) }
        if isTraced {
            let first = tables[place].appended + tables[place].columns.rowCount
            pieces.append(Piece(batch: batch, kind: kind.id, rows: first..<first + count))
        }
        tables[place].columns.append(columns, rows: rows)
    }

    /// Appends what is left; returns all blocks of the commit.
    func finish(_ db: Database, now: UnixMilliseconds) throws -> [Block] {
        for place in tables.indices { try flush(place, db, now: now) }
        return blocks
    }

    /// Where the rows of each upload are in the blocks of the commit.
    var traces: [UploadTrace] {
        guard !pieces.isEmpty else { return [] }
        var begins: [UInt8: Int] = [:]
        var traces: [UploadTrace] = []
        for header in blocks.map(\.header) {
            let begin = begins[header.kind, default: 0], end = begin + header.rowCount
            begins[header.kind] = end
            let position = Position(lane: journal.lane, generation: header.generation, block: header.number)
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

    private func place(of kind: RecordKind) -> Int {
        if let place = tables.firstIndex(where: { $0.kind.id == kind.id }) { return place }
        tables.append(Table(kind: kind))
        return tables.count - 1
    }

    /// Appends the rows of a kind with `received_at_ms`, which is the time of the commit.
    private func flush(_ place: Int, _ db: Database, now: UnixMilliseconds) throws {
        let count = tables[place].columns.rowCount
        guard count > 0 else { return }
        tables[place].columns.fill(ColumnID.receivedAt, encoding: .delta, with: now)
        blocks += try journal.append(
            db, kind: tables[place].kind, columns: tables[place].columns, encoder: &encoder, now: now)
        tables[place].columns.removeAllRows()
        tables[place].appended += count
    }
}
