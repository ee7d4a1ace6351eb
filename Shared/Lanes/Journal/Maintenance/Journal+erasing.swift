internal import Foundation
public import GRDB
public import Models
internal import Storage
public import Wire

/// Blocks with rows of erased subjects are written again without them.
///
/// Numbers stay: a block keeps its own, and one that loses its last row leaves a gap, as trimming and compaction do. What is
/// on disk is first overwritten where it stands and then shortened, because SQLite zeroes what it frees but not what it
/// moves. On state lanes the index of keys forgets the rows' keys too; no tombstone is left, for it would name the subject.
extension Journal {
    /// Headers looked at, and bytes of blocks rewritten, in one round: a few milliseconds, for which uploads and alarms wait.
    static let erasureRound = JournalPage.Limit(blocks: 256, bytes: 64 << 10)

    /// One bounded round inside the caller's transaction.
    ///
    /// - Parameters:
    ///   - subjects: ordinals whose rows go; only blocks whose header names one are opened.
    ///   - pass: where the rounds before came to; begin with a new one. A pass that is begun anew repeats nothing but looks.
    ///   - kept: the rows of a block that stay, ascending.
    public func erase(
        _ db: Database, subjects: Set<UInt64>, _ pass: inout JournalErasure,
        keeping kept: (Columns, BlockHeader) throws -> [Int32]
    ) throws {
        try rewrite(db, &pass, forgetsKeys: true, where: { $0.subjects.contains(where: subjects.contains) }, kept)
    }

    /// One bounded round, inside the caller's transaction, over the blocks of a kind, whose headers name no subject: takes out
    /// rows that newer ones of the same keys have superseded. The index of keys is left to compaction, which looks there for
    /// the newest row of a key only.
    ///
    /// - Parameters:
    ///   - keys: of all rows that go, if the caller has them: a block that was opened before and has none of them stays closed.
    ///   - kept: the rows of a block that stay, ascending.
    public func eraseSuperseded(
        _ db: Database, kind: RecordKind, of keys: KeyHashes? = nil, _ pass: inout JournalErasure,
        keeping kept: (Columns, BlockHeader) throws -> [Int32]
    ) throws {
        guard let keys else { return try rewrite(db, &pass, forgetsKeys: false, where: { $0.kind == kind.id }, kept) }
        try rewrite(
            db, &pass, forgetsKeys: false, where: { $0.kind == kind.id && opened.mayHave(keys, in: $0.number) }
        ) { columns, header in
            opened.note(RecordKeys(columns, kind: header.kind)?.hashes ?? [], of: header.number)
            return try kept(columns, header)
        }
    }

    private func rewrite(
        _ db: Database, _ pass: inout JournalErasure, forgetsKeys: Bool, where isConcerned: (BlockHeader) -> Bool,
        _ kept: (Columns, BlockHeader) throws -> [Int32]
    ) throws {
        let found = try concerned(db, isConcerned, &pass)
        let before = pass.blocks
        var encoder = ColumnEncoder()
        for number in found { try rewrite(number, db, &encoder, &pass, forgetsKeys, kept) }
        guard pass.blocks > before else { return }
        if let last = found.last { rewrittenThrough = max(rewrittenThrough ?? 0, UInt64(last)) }
        try schema.save(state, db)
    }

    /// Writes the index of a state lane's keys anew inside the caller's transaction, so that no copy of a removed key is left
    /// in it; to be called when an erasure is through, where keys are identifiers. Takes time by the number of the lane's keys.
    public func rewriteKeys(_ db: Database) throws {
        if lane.nature == .state { try ServiceDatabase.rewrite(tables: [schema.keysTable], db) }
    }

    /// Numbers of the next blocks to be opened; moves the pass behind what it has looked at.
    private func concerned(
        _ db: Database, _ isConcerned: (BlockHeader) -> Bool, _ pass: inout JournalErasure
    ) throws -> [Int64] {
        let rows = try Row.fetchCursor(
            try db.cachedStatement(
                sql: "SELECT number, size, header FROM \(schema.blocksTable) WHERE number > ? ORDER BY number LIMIT ?"),
            arguments: [Int64(pass.through), Self.erasureRound.blocks])
        var found: [Int64] = [], looked = 0, bytes = 0
        while let row = try rows.next() {
            let number: Int64 = row[0]
            looked += 1
            let header = try row.withUnsafeData(atIndex: 2) { try BlockHeader(decoding: [UInt8]($0 ?? .init())) }
            pass.through = UInt64(number)
            guard isConcerned(header) else { continue }
            found.append(number)
            bytes += row[1] as Int
            if bytes >= Self.erasureRound.bytes { return found }
        }
        pass.isDone = looked < Self.erasureRound.blocks
        return found
    }

    private func rewrite(
        _ number: Int64, _ db: Database, _ encoder: inout ColumnEncoder, _ pass: inout JournalErasure,
        _ forgetsKeys: Bool, _ kept: (Columns, BlockHeader) throws -> [Int32]
    ) throws {
        guard let block = try block(number, db) else { return }
        let columns = try block.columns(with: &decoder)
        let rows = try kept(columns, block.header)
        guard rows.count < columns.rowCount else { return }
        if forgetsKeys { try forgetKeys(of: columns, but: rows, block.header, db) }
        try overwrite(number, db)
        pass.blocks += 1
        pass.rows += columns.rowCount - rows.count
        guard !rows.isEmpty else { return try remove(number, db) }
        try replace(block, by: columns.gathered(rows), db, &encoder)
    }

    /// Puts zeros where the payload and the header stand.
    private func overwrite(_ number: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE \(schema.blocksTable)
                SET header = zeroblob(length(header)), payload = zeroblob(length(payload)) WHERE number = ?
                """
        ).execute(arguments: [number])
    }

    /// Writes other rows in place of a block's.
    func replace(_ block: Block, by columns: Columns, _ db: Database, _ encoder: inout ColumnEncoder) throws {
        let encoded = try encoder.encode(columns)
        let header = block.header.rewritten(encoded, keyID: sealer?.keyID ?? 0, subjects: columns.subjects)
        let (head, payload) = try stored(Block(header: header, payload: encoded.payload))
        state.bytes += head.count + payload.count - (try size(UInt64(block.header.number), db))
        try db.cachedStatement(
            sql: "UPDATE \(schema.blocksTable) SET size = ?, header = ?, payload = ? WHERE number = ?"
        ).execute(arguments: [
            head.count + payload.count, Data(head), Data(payload), Int64(block.header.number),
        ])
    }

    private func forgetKeys(of columns: Columns, but kept: [Int32], _ header: BlockHeader, _ db: Database) throws {
        guard lane.nature == .state, let keys = RecordKeys(columns, kind: header.kind) else { return }
        let stay = Set(kept)
        var index = try KeyIndex(schema, db)
        for row in keys.presence.rows where !stay.contains(row) { try index.forget(Int(row), keys) }
    }
}

/// How far an erasure has come in a journal; a value, to be kept between two rounds and forgotten with the process.
public struct JournalErasure: Sendable {
    /// Blocks up to here are looked at.
    public internal(set) var through: UInt64 = 0
    /// Blocks rewritten or removed.
    public internal(set) var blocks = 0
    /// Rows removed.
    public internal(set) var rows = 0
    /// True if there is nothing left to look at: also what was appended meanwhile, for compaction may join older rows with it.
    public internal(set) var isDone = false

    public init() {}
}
