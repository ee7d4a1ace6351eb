package import ExporterRows
package import GRDB
internal import Models

/// The exporter's own database, `state.sqlite`: copies of cells and alarms, two figures that must stay exact, tenants and
/// their contacts, and what it publishes on `operations`.
///
/// Cursors stand in the same file (`Lanes`); whatever is changed here is changed in their transaction.
public enum ExporterStore {
    /// A figure that is kept with the transaction that changes it.
    package enum Figure: String {
        /// Raw rows that are there.
        case rawRows = "raw_rows"
        /// Raw rows that were erased.
        case erasedRows = "erased_rows"
        /// Raw rows that went because their time was over.
        case retiredRows = "retired_rows"
        /// The last place of the order of arrival whose rows are counted.
        case rawSequence = "raw_sequence"
        /// Places of the order of arrival up to here were given out in a life that was lost; 0 if the home was never restored.
        case rawLeap = "raw_leap"
        /// When the home was restored last, and when that backup was made; 0 if it never was.
        case restoredAt = "restored_at"
        case backedUpAt = "backed_up_at"
        /// Samples of all day cells at the coarsest level and without a cell: each row counts once for each network it
        /// is counted for.
        case heatmapSamples = "heatmap_samples"
    }

    package static func value(of figure: Figure, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT value FROM figures WHERE name = ?", arguments: [figure.rawValue]) ?? 0
    }

    /// Counts what was stored before a crash, and not counted any more.
    ///
    /// Day files are committed before the figures. What was stored stays, though the lane sends it again, perhaps with fewer
    /// rows or not at all because a subject is being erased meanwhile: so it is counted by what the files have. In a home
    /// that never noted how far it had counted, everything is.
    package static func countStored(_ files: RawRowFiles, _ db: Database) throws {
        let counted = try Int64.fetchOne(
            db, sql: "SELECT value FROM figures WHERE name = ?", arguments: [Figure.rawSequence.rawValue])
        // The files of the last days may have gone since.
        files.goOn(after: counted ?? 0)
        guard counted != files.last else { return }
        let rows = try files.rows(after: counted ?? 0)
        try add(counted == nil ? rows - value(of: .rawRows, db) : rows, to: .rawRows, in: db)
        try set(.rawSequence, to: files.last, in: db)
    }

    package static func set(_ figure: Figure, to value: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO figures (name, value) VALUES (?, ?)")
            .execute(arguments: [figure.rawValue, value])
    }

    package static func add(_ amount: Int64, to figure: Figure, in db: Database) throws {
        guard amount != 0 else { return }
        try db.execute(
            sql: """
                INSERT INTO figures (name, value) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET value = value + excluded.value
                """, arguments: [figure.rawValue, amount])
    }
}
