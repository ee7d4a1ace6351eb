internal import ExporterRows
internal import ExporterStores
internal import Foundation
internal import GRDB
internal import Lanes
internal import Storage

/// Brings the exporter's files over after a restore: rows that are ahead go, and what clients count by goes on far ahead, for
/// they hold numbers that were given out after the backup.
struct RestoredExporter {
    /// Blocks of raw rows, or changes of alarms, that no exporter has between two backups.
    static let leap: Int64 = 1_000_000_000

    let database: ServiceDatabase
    /// Directory of the day files.
    let raw: String
    let options: DatabaseOptions
    let layout: RawRowLayout

    /// Does it, if it was not done before; finishes what a crash cut off.
    func settle(_ restoration: Restoration?) throws {
        try restoration?.settle(database) { db in
            try RestoredRawRows.note(restoration!, db)
            let leap = restoration!.leap(atLeast: Self.leap, perSecond: 100_000)
            try correctFigures(db, leap)
            try ExporterStore.set(.restoredAt, to: restoration!.restoredAt, in: db)
            try ExporterStore.set(.backedUpAt, to: restoration!.backedUpAt, in: db)
            try forgetAlarmChanges(db, leap)
            // Rows of any hour may be gone, or come again.
            try ExportStore.invalidateAll(db)
        }
        let noted = try database.read { try RestoredRawRows.noted($0) }
        guard !noted.isEmpty else { return }
        try forEachFile { file in try file.write { db in for tail in noted { try DayFile.remove(tail, db) } } }
        try database.write { try RestoredRawRows.forget($0) }
    }

    /// Rows that are to go are not counted any more; places of the order of arrival leap.
    private func correctFigures(_ db: Database, _ leap: Int64) throws {
        let noted = try RestoredRawRows.noted(db), counted = try ExporterStore.value(of: .rawSequence, db)
        // Nothing may have come since the restore before.
        var last = max(counted, try ExporterStore.value(of: .rawLeap, db)), rows: Int64 = 0
        try forEachFile { file in
            try file.read { day in
                last = max(last, try DayFile.sequences(day)?.upperBound ?? 0)
                for tail in noted { rows += try DayFile.rows(of: tail, through: counted, layout, day) }
            }
        }
        try ExporterStore.add(-rows, to: .rawRows, in: db)
        try ExporterStore.set(.rawLeap, to: last + leap, in: db)
    }

    /// Clients that were connected ask for what came after a number of the lost life: they are told to begin anew.
    private func forgetAlarmChanges(_ db: Database, _ leap: Int64) throws {
        try db.execute(sql: "DELETE FROM alarm_changes")
        try db.execute(
            sql: "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'alarm_changes'", arguments: [leap])
        guard db.changesCount == 0 else { return }
        try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('alarm_changes', ?)", arguments: [leap])
    }

    private func forEachFile(_ body: (ServiceDatabase) throws -> Void) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: raw).filter { name in
            name.hasSuffix(".sqlite") && ReceivedDay.isName(String(name.dropLast(".sqlite".count)))
        }
        for name in names.sorted() {
            let file = try ServiceDatabase(path: "\(raw)/\(name)", migrations: DayFile.migrations, options: options)
            defer { try? file.close() }
            try body(file)
        }
    }
}
