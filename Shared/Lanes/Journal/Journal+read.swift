internal import Foundation
internal import GRDB
public import Models
public import Storage
internal import Wire

extension Journal {
    /// The blocks after a number, from any thread by a connection of its own.
    ///
    /// - Parameters:
    ///   - kinds: ids of the kinds wanted; nil is all.
    ///   - limit: hard; a page may be empty because the first block does not fit (``JournalPage/waitingBytes``).
    ///   - sealer: opens sealed payloads.
    /// - Throws: ``LaneError/unknownKey(lane:block:keyID:)``, `notAuthentic` or a `WireError` for a damaged block.
    public static func read(
        lane: LaneName, from database: ReadOnlyDatabase, after: UInt64, kinds: Set<UInt8>? = nil,
        limit: JournalPage.Limit = JournalPage.Limit(blocks: 256, bytes: 4 << 20), sealer: BlockSealer? = nil
    ) throws -> JournalPage {
        try database.read { db in
            try read(lane, db, after: after, kinds: kinds, limit: limit, sealer: sealer)
        }
    }

    static func read(
        _ lane: LaneName, _ db: Database, after: UInt64, kinds: Set<UInt8>?, limit: JournalPage.Limit,
        sealer: BlockSealer?
    ) throws -> JournalPage {
        let schema = JournalSchema(lane: lane)
        guard let state = try schema.load(db) else {
            return JournalPage(generation: 0, head: 0, oldest: 1, blocks: [], through: after, waitingBytes: 0)
        }
        var page = JournalPage(
            generation: state.generation, head: state.head, oldest: state.trimmed + 1, blocks: [],
            through: max(after, state.head), waitingBytes: 0)
        var bytes = 0
        let filter = kinds.map { "AND kind IN (\($0.sorted().map(String.init).joined(separator: ",")))" } ?? ""
        let cursor = try Row.fetchCursor(
            try db.cachedStatement(
                sql: "SELECT header, payload FROM \(schema.blocksTable) WHERE number > ? \(filter) ORDER BY number"),
            arguments: [Int64(after)])
        while let row = try cursor.next() {
            let block = try stored(row, lane, state.generation, sealer)
            guard page.blocks.count < limit.blocks, bytes + block.size <= limit.bytes else {
                page.through = block.header.number - 1
                page.waitingBytes = block.size
                break
            }
            bytes += block.size
            page.blocks.append(block)
        }
        return page
    }

    /// One block, of the writer's own connection; nil if it is gone.
    func block(_ number: Int64, _ db: Database) throws -> Block? {
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: "SELECT header, payload FROM \(schema.blocksTable) WHERE number = ?"),
            arguments: [number])
        return try rows.next().map { try Self.stored($0, lane, state.generation, sealer) }
    }

    private static func stored(
        _ row: Row, _ lane: LaneName, _ generation: UInt64, _ sealer: BlockSealer?
    ) throws -> Block {
        var header = try row.withUnsafeData(atIndex: 0) { data in
            try BlockHeader(decoding: [UInt8](data ?? .init()))
        }
        header.generation = generation
        let payload = try row.withUnsafeData(atIndex: 1) { [UInt8]($0 ?? .init()) }
        guard header.keyID != 0 else { return Block(header: header, payload: payload) }
        guard let sealer, sealer.keyID == header.keyID else {
            throw LaneError.unknownKey(lane: lane, block: header.number, keyID: header.keyID)
        }
        let clear = try sealer.open(
            payload, additional: JournalPage.binding(lane, header.number),
            place: "lane \(lane.rawValue), block \(header.number)")
        return Block(header: header, payload: clear)
    }
}
