internal import ExporterRows
internal import GRDB
internal import Lanes
internal import Models
internal import Storage

/// Raw rows of blocks behind the cursors of a restored exporter: they go, for their blocks come again under another
/// generation, or never.
///
///     restored_rows(lane, generation, after)   blocks of that generation behind `after` are to go from the day files
///
/// Noted with what else a restore changes, carried out afterwards, so that a crash in between loses nothing.
enum RestoredRawRows {
    static let migration = Migration(
        "rows behind a restore",
        sql: """
            CREATE TABLE restored_rows (
                lane INTEGER PRIMARY KEY, generation INTEGER NOT NULL, after INTEGER NOT NULL) WITHOUT ROWID, STRICT
            """)

    /// Lanes whose rows are in day files.
    private static let lanes = [LaneName.realtime, .batch]

    /// Notes what is to go; cursors have moved already.
    static func note(_ restoration: Restoration, _ db: Database) throws {
        let hasCursors = try db.tableExists("cursors")
        for lane in restoration.lanes where lanes.contains(lane.lane) {
            try db.execute(
                sql: "INSERT OR REPLACE INTO restored_rows (lane, generation, after) VALUES (?, ?, ?)",
                arguments: [
                    Int64(lane.lane.id), Int64(bitPattern: lane.oldGeneration),
                    Int64(try hasCursors ? Cursor.read(lane.lane, db)?.block ?? 0 : 0),
                ])
        }
    }

    static func forget(_ db: Database) throws { try db.execute(sql: "DELETE FROM restored_rows") }

    /// What is to go.
    static func noted(_ db: Database) throws -> [DayFile.Tail] {
        try Row.fetchAll(db, sql: "SELECT lane, generation, after FROM restored_rows ORDER BY lane").map {
            DayFile.Tail(lane: $0[0], generation: $0[1], after: $0[2])
        }
    }
}

extension DayFile {
    /// Blocks of a lane's generation behind a number.
    struct Tail {
        let lane: Int64
        let generation: Int64
        let after: Int64

        fileprivate static let condition = "lane = ? AND generation = ? AND number > ?"
        fileprivate var arguments: StatementArguments { [lane, generation, after] }
    }

    /// Raw rows of a tail in blocks up to a place, without those that were erased: they are counted already if a step was, by
    /// what the files had, before its blocks came again.
    static func rows(
        of tail: Tail, through sequence: Int64, _ layout: RawRowLayout, _ db: Database
    ) throws -> Int64 {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT b.row_count, g.rows FROM blocks b LEFT JOIN gaps g USING (sequence)
                WHERE \(Tail.condition) AND sequence <= ? AND kind IN (\(layout.kindList))
                """, arguments: tail.arguments + [sequence])
        return rows.reduce(0) { sum, row in
            sum + (row[0] as Int64) - Int64(NumberList.numbers(in: Blob.optionalBytes(row, 1) ?? []).count)
        }
    }

    /// Takes the blocks of a tail out of the file.
    static func remove(_ tail: Tail, _ db: Database) throws {
        for table in ["block_subjects", "block_hours", "gaps"] {
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE sequence IN (SELECT sequence FROM blocks WHERE \(Tail.condition))
                    """, arguments: tail.arguments)
        }
        try db.execute(sql: "DELETE FROM blocks WHERE \(Tail.condition)", arguments: tail.arguments)
    }
}
