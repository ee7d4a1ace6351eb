import AggregatorCells
package import AggregatorDeriving
package import GRDB
package import Lanes
package import Models

/// Which blocks are in the cells and which are still to be: the tables `blocks`, `waiting_days` and `folding_days`.
///
///     … │ folded │ being folded, day after day, place after place … target │ applied, open rows on disk │ not read yet
///
/// Everything runs in the caller's transaction.
package enum FoldLedger {
    /// Records that blocks were applied, and the local days their open rows are of.
    package static func apply(_ positions: [Position], days: some Sequence<Int64>, _ db: Database) throws {
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

    /// Moves the target on by at most `blocks` blocks a lane: what waits up to there is being folded.
    ///
    /// - Parameter hasRows: whether a day has rows in some blocks.
    static func begin(
        _ db: Database, blocks: Int, hasRows: (_ day: Int64, [BlockRange]) throws -> Bool
    ) throws {
        try db.execute(sql: "UPDATE blocks SET target = min(applied, target + ?)", arguments: [blocks])
        let ranges = try folding(db)
        for day in try waitingDays(db) where try hasRows(day, ranges) {
            try db.execute(sql: "INSERT INTO folding_days (day, first) VALUES (?, 0)", arguments: [day])
        }
        try db.execute(
            sql: "DELETE FROM waiting_days WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE target < applied)")
        try settle(db)
    }

    /// The days that have rows left of the fold under way, the latest first; none between folds.
    package static func days(_ db: Database) throws -> [FoldingDay] {
        try Row.fetchAll(db, sql: "SELECT day, first FROM folding_days ORDER BY day DESC")
            .map { FoldingDay(day: $0[0], first: UInt64(bitPattern: $0[1])) }
    }

    /// Records that the records of a day are in the cells up to a place.
    static func finish(_ day: Int64, through last: UInt64, _ db: Database) throws {
        if last == .max {
            try db.execute(sql: "DELETE FROM folding_days WHERE day = ?", arguments: [day])
        } else {
            try db.execute(
                sql: "UPDATE folding_days SET first = ? WHERE day = ?",
                arguments: [Int64(bitPattern: last + 1), day])
        }
        try settle(db)
    }

    /// Blocks whose rows are being folded.
    package static func folding(_ db: Database) throws -> [BlockRange] { try ranges(db, "folded", "target") }

    /// Blocks whose rows wait for the next fold.
    package static func waiting(_ db: Database) throws -> [BlockRange] { try ranges(db, "target", "applied") }

    /// Blocks whose rows are in the cells.
    package static func folded(_ db: Database) throws -> [BlockRange] { try ranges(db, "0", "folded") }

    /// Blocks that are not in the cells.
    package static func waitingBlocks(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT coalesce(sum(applied - folded), 0) FROM blocks") ?? 0
    }

    package static func waitingDays(_ db: Database) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT day FROM waiting_days ORDER BY day")
    }

    /// Forgets all cells but those of closed buckets and has every block folded again; `days` are all that have open rows.
    package static func restart(_ days: [Int64], _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM cells WHERE substr(key, \(CellStoreKey.startColumn), 8) >= ?",
            arguments: [CellStoreKey.bytes(ofStart: try SealingState.read(db).through)])
        try db.execute(
            sql: "DELETE FROM folding_days; DELETE FROM waiting_days; UPDATE blocks SET target = 0, folded = 0")
        try ErasingRows.cellsAreForgotten(db)
        try apply([], days: days, db)
    }

    /// After a restore blocks have a new generation. Those up to the cursors are in the files under the old one: nothing of
    /// the new one waits.
    package static func goOn(_ restoration: Restoration, _ db: Database) throws {
        guard try db.tableExists("cursors") else { return }
        for lane in restoration.lanes {
            guard let cursor = try Cursor.read(lane.lane, db), cursor.generation == lane.generation else { continue }
            try db.execute(
                sql: "INSERT INTO blocks (lane, generation, applied, target, folded) VALUES (?1, ?2, ?3, ?3, ?3)",
                arguments: [Int64(lane.lane.id), Int64(bitPattern: lane.generation), Int64(cursor.block)])
        }
    }

    /// An older program wrote down how it had cut the rows of a fold, and other programs cut otherwise: if it stopped amid one,
    /// all cells are made anew. `days` are all that have open rows.
    package static func takeOver(_ days: [Int64], _ db: Database) throws {
        if try isAmidOlderFold(db) { try restart(days, db) }
        try db.execute(sql: "DROP TABLE IF EXISTS slices")
    }

    /// Whether an older program stopped amid a fold, and none of this kind has run since.
    package static func isAmidOlderFold(_ db: Database) throws -> Bool {
        guard try db.tableExists("slices") else { return false }
        return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM slices)") ?? false
    }

    /// With no day left, all up to the target is in the cells.
    private static func settle(_ db: Database) throws {
        try db.execute(sql: "UPDATE blocks SET folded = target WHERE NOT EXISTS (SELECT 1 FROM folding_days)")
    }

    private static func ranges(_ db: Database, _ after: String, _ through: String) throws -> [BlockRange] {
        try Row.fetchAll(
            db, sql: "SELECT lane, generation, \(after), \(through) FROM blocks ORDER BY lane, generation"
        ).map { BlockRange(lane: $0[0], generation: $0[1], after: $0[2], through: $0[3]) }.filter { !$0.isEmpty }
    }
}

/// A local day of whose waiting rows a fold has some left to take.
package struct FoldingDay: Equatable {
    /// Its begin, Unix seconds.
    package var day: Int64
    /// Records from this place on (``FoldRange``) are not in the cells yet.
    package var first: UInt64 = 0

    package init(day: Int64, first: UInt64 = 0) {
        self.day = day
        self.first = first
    }
}
