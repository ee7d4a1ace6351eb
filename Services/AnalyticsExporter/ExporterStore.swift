internal import GRDB
internal import Models
public import Storage

/// The exporter's own database, `state.sqlite`: copies of cells and alarms, two figures that must stay exact, tenants and
/// their contacts, and what it publishes on `operations`.
///
/// Cursors stand in the same file (`Lanes`); whatever is changed here is changed in their transaction.
public enum ExporterStore {
    /// Schema; the engine's own tables come with `Lanes`.
    public static let migrations = [
        Migration("cells, alarms, figures") { db in
            try CellStore.createTables(db)
            try AlarmStore.createTables(db)
            try db.execute(
                sql: "CREATE TABLE figures (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID")
        },
        Migration("networks of alarms") { try AlarmStore.addNetworks($0) },
        Migration("tenants, contacts, sessions, operations") { try AccessSchema.createTables($0) },
        Migration("networks that served alarms") { try AlarmStore.addServing($0) },
        Migration("failed log-ins by minute") { try AccessSchema.countFailures($0) },
        Migration("engagement") { try EngagementStore.createTables($0) },
        Migration("references to finer cells") { try CellStore.addSources($0) },
    ]

    /// A figure that is kept with the transaction that changes it.
    enum Figure: String {
        /// Raw rows stored.
        case rawRows = "raw_rows"
        /// Samples of all day cells at the coarsest level and without a cell: each row counts once for each network it
        /// is counted for.
        case heatmapSamples = "heatmap_samples"
    }

    static func value(of figure: Figure, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT value FROM figures WHERE name = ?", arguments: [figure.rawValue]) ?? 0
    }

    static func add(_ amount: Int64, to figure: Figure, in db: Database) throws {
        guard amount != 0 else { return }
        try db.execute(
            sql: """
                INSERT INTO figures (name, value) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET value = value + excluded.value
                """, arguments: [figure.rawValue, amount])
    }
}
