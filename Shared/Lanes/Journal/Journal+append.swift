internal import Foundation
public import GRDB
public import Models
internal import Storage
public import Wire

extension Journal {
    /// Appends rows of one kind as blocks of at most 4 096 rows and 64 KB, inside the caller's transaction.
    ///
    /// - Parameters:
    ///   - encoder: kept by the caller, because it holds zlib's memory.
    ///   - now: commit time stamped on the blocks.
    /// - Returns: the blocks with clear payloads, to be pushed once the transaction is committed.
    public func append(
        _ db: Database, kind: RecordKind, columns: Columns, encoder: inout ColumnEncoder, now: UnixMilliseconds
    ) throws -> [Block] {
        guard columns.rowCount > 0 else { return [] }
        var blocks: [Block] = []
        let pieces = (columns.rowCount + rows.rows(of: kind.id) - 1) / rows.rows(of: kind.id)
        for piece in 0..<pieces {
            let first = columns.rowCount * piece / pieces, end = columns.rowCount * (piece + 1) / pieces
            try append(db, kind, columns.part(first..<end), &encoder, now, to: &blocks)
        }
        try schema.save(state, db)
        return blocks
    }

    private func append(
        _ db: Database, _ kind: RecordKind, _ columns: Columns, _ encoder: inout ColumnEncoder, _ now: UnixMilliseconds,
        to blocks: inout [Block]
    ) throws {
        let encoded = try encoder.encode(columns)
        rows.learn(kind: kind.id, rows: columns.rowCount, payload: encoded.payload.count)
        if encoded.payload.count > RowEstimate.maximumPayload && columns.rowCount > 1 {
            let middle = columns.rowCount / 2
            try append(db, kind, columns.part(0..<middle), &encoder, now, to: &blocks)
            return try append(db, kind, columns.part(middle..<columns.rowCount), &encoder, now, to: &blocks)
        }
        let header = BlockHeader(
            generation: state.generation, number: state.head + 1, previous: state.head, kind: kind.id,
            kindVersion: kind.version, rowCount: encoded.rowCount, keptRows: encoded.rowCount,
            keyID: sealer?.keyID ?? 0,
            committedAt: now, subjects: columns.subjects, rawLength: encoded.rawLength, crc32: encoded.crc32)
        let block = Block(header: header, payload: encoded.payload)
        try insert(block, db)
        state.head += 1
        blocks.append(block)
    }

    /// Stores a block, new or rewritten, and counts its bytes.
    func insert(_ block: Block, _ db: Database) throws {
        opened.forget(block.header.number)
        let (header, payload) = try stored(block)
        let size = header.count + payload.count
        state.bytes += size
        state.total += size
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO \(schema.blocksTable) (number, committed_at, kind, size, total, header, payload)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Int64(block.header.number), block.header.committedAt, block.header.kind, size, state.total, Data(header),
            Data(payload),
        ])
    }

    /// Header and payload as they are kept: sealed, if the journal has a key.
    func stored(_ block: Block) throws -> (header: [UInt8], payload: [UInt8]) {
        (block.header.encoded(), try sealer?.seal(block.payload, additional: sealed(block.header)) ?? block.payload)
    }

    private func sealed(_ header: BlockHeader) -> [UInt8] { JournalPage.binding(lane, header.number) }
}

extension BlockHeader {
    /// The header of the same block with other rows.
    func rewritten(_ encoded: EncodedColumns, keyID: UInt32, subjects: [UInt64]) -> BlockHeader {
        var header = self
        header.rowCount = encoded.rowCount
        header.keptRows = encoded.rowCount
        header.rawLength = encoded.rawLength
        header.crc32 = encoded.crc32
        header.keyID = keyID
        header.subjects = subjects
        return header
    }
}

extension Block {
    /// The same block with other rows, at least one; for blocks in memory, whose payload is clear.
    public func replacing(_ columns: Columns) throws -> Block {
        var encoder = ColumnEncoder()
        let encoded = try encoder.encode(columns)
        return Block(
            header: header.rewritten(encoded, keyID: header.keyID, subjects: columns.subjects),
            payload: encoded.payload)
    }
}

extension Columns {
    /// The device ordinals of the rows, ascending and distinct.
    var subjects: [UInt64] {
        guard let column = self[ColumnID.device] else { return [] }
        var subjects: [UInt64] = []
        for (row, device) in column.integers.enumerated() {
            let subject = UInt64(bitPattern: device)
            if subject != subjects.last && (device != 0 || column.presence[row]) { subjects.append(subject) }
        }
        subjects.sort()
        var distinct: [UInt64] = []
        distinct.reserveCapacity(subjects.count)
        for subject in subjects where subject != distinct.last { distinct.append(subject) }
        return distinct
    }

    func part(_ range: Range<Int>) -> Columns {
        range.count == rowCount ? self : gathered(range.map(Int32.init))
    }
}
