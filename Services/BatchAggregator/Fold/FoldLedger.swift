import GRDB
import Lanes
import Models

/// Which blocks are in the cells and which are still to be: the tables `blocks`, `waiting_days` and `slices`.
///
///     … │ folded │ slice, slice, slice … target │ applied, open rows on disk │ not read yet
///
/// Everything runs in the caller's transaction.
enum FoldLedger {
    /// Records that blocks were applied, and the local days their open rows are of.
    static func apply(_ positions: [Position], days: some Sequence<Int64>, _ db: Database) throws {
        for position in positions {
            try db.cachedStatement(
                sql: """
                    INSERT INTO blocks (lane, generation, applied, target, folded) VALUES (?, ?, ?, 0, 0)
                    ON CONFLICT (lane, generation) DO UPDATE SET applied = max(applied, excluded.applied)
                    """
            ).execute(arguments: [
                Int64(position.lane.id), Int64(bitPattern: position.generation), Int64(position.block),
            ])
        }
        for day in days {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO waiting_days (day) VALUES (?)")
                .execute(arguments: [day])
        }
    }

    /// Moves the target on by at most `blocks` blocks a lane and cuts the days concerned into slices.
    ///
    /// - Parameter parts: into how many parts the rows of a day in some blocks are to be cut; 0 if there are none.
    static func begin(_ db: Database, blocks: Int, parts: (_ day: Int64, [BlockRange]) throws -> Int) throws {
        try db.execute(sql: "UPDATE blocks SET target = min(applied, target + ?)", arguments: [blocks])
        let ranges = try folding(db)
        for day in try waitingDays(db) {
            let count = try parts(day, ranges)
            for part in 0..<count {
                try db.execute(
                    sql: "INSERT INTO slices (day, part, parts, by_place) VALUES (?, ?, ?, 1)",
                    arguments: [day, part, count])
            }
        }
        try db.execute(
            sql: "DELETE FROM waiting_days WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE target < applied)")
        try settle(db)
    }

    /// The slices that are left, the latest day first.
    static func slices(_ db: Database) throws -> [FoldSlice] {
        try Row.fetchAll(db, sql: "SELECT day, part, parts, by_place FROM slices ORDER BY day DESC, part")
            .map { FoldSlice(day: $0[0], part: $0[1], parts: $0[2], isByPlace: $0[3]) }
    }

    /// Records that a slice is in the cells.
    static func finish(_ slice: FoldSlice, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM slices WHERE day = ? AND part = ?", arguments: [slice.day, slice.part])
        try settle(db)
    }

    /// Blocks whose rows are being folded.
    static func folding(_ db: Database) throws -> [BlockRange] { try ranges(db, "folded", "target") }

    /// Blocks whose rows wait for the next fold.
    static func waiting(_ db: Database) throws -> [BlockRange] { try ranges(db, "target", "applied") }

    /// Blocks whose rows are in the cells.
    static func folded(_ db: Database) throws -> [BlockRange] { try ranges(db, "0", "folded") }

    /// Blocks that are not in the cells.
    static func waitingBlocks(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT coalesce(sum(applied - folded), 0) FROM blocks") ?? 0
    }

    static func waitingDays(_ db: Database) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT day FROM waiting_days ORDER BY day")
    }

    /// Forgets all cells but those of closed buckets and has every block folded again; `days` are all that have open rows.
    static func restart(_ days: [Int64], _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM cells WHERE substr(key, 5, 8) >= ?",
            arguments: [CellStoreKey.bytes(ofStart: try SealingState.read(db).through)])
        try db.execute(
            sql: "DELETE FROM slices; DELETE FROM waiting_days; UPDATE blocks SET target = 0, folded = 0")
        try ErasingRows.cellsAreForgotten(db)
        try apply([], days: days, db)
    }

    /// After a restore blocks have a new generation. Those up to the cursors are in the files under the old one: nothing of
    /// the new one waits.
    static func goOn(_ restoration: Restoration, _ db: Database) throws {
        guard try db.tableExists("cursors") else { return }
        for lane in restoration.lanes {
            guard let cursor = try Cursor.read(lane.lane, db), cursor.generation == lane.generation else { continue }
            try db.execute(
                sql: "INSERT INTO blocks (lane, generation, applied, target, folded) VALUES (?1, ?2, ?3, ?3, ?3)",
                arguments: [Int64(lane.lane.id), Int64(bitPattern: lane.generation), Int64(cursor.block)])
        }
    }

    /// With no slice left, all up to the target is in the cells.
    private static func settle(_ db: Database) throws {
        try db.execute(sql: "UPDATE blocks SET folded = target WHERE NOT EXISTS (SELECT 1 FROM slices)")
    }

    private static func ranges(_ db: Database, _ after: String, _ through: String) throws -> [BlockRange] {
        try Row.fetchAll(
            db, sql: "SELECT lane, generation, \(after), \(through) FROM blocks ORDER BY lane, generation"
        ).map { BlockRange(lane: $0[0], generation: $0[1], after: $0[2], through: $0[3]) }.filter { !$0.isEmpty }
    }
}
