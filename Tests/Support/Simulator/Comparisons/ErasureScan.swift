import Foundation
import GRDB
import Lanes
import Models
import Storage
import Wire

/// Looks for devices in every table of a service's database: columns that name them, and headers of blocks.
struct ErasureScan {
    /// Whose records must be nowhere.
    let erased: Set<Int64>

    /// - Throws: `SimulationFailure` naming the table.
    func look(into database: ServiceDatabase, of service: String) throws {
        guard !erased.isEmpty else { return }
        try database.read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            for table in tables { try look(into: table, of: service, db) }
        }
    }

    private func look(into table: String, of service: String, _ db: Database) throws {
        // Names that were overwritten stay as an empty row.
        guard table != "device_names" else { return }
        for column in try db.columns(in: table).map(\.name) where ["device", "ordinal"].contains(column) {
            // A text under that name is a pseudonym.
            let found = try Int64.fetchSet(
                db, sql: "SELECT \(column) FROM \(table) WHERE typeof(\(column)) = 'integer'")
            try expectNone(found, "\(service): \(table).\(column)")
        }
        guard table.hasPrefix("lane_"), table.hasSuffix("_blocks") else { return }
        for header in try Row.fetchAll(db, sql: "SELECT header FROM \(table)") {
            let subjects = try header.withUnsafeData(atIndex: 0) {
                try BlockHeader(decoding: [UInt8]($0 ?? .init())).subjects
            }
            try expectNone(Set(subjects.map { Int64($0) }), "\(service): \(table)")
        }
    }

    private func expectNone(_ found: Set<Int64>, _ place: String) throws {
        guard let device = found.intersection(erased).min() else { return }
        throw SimulationFailure("device \(device) is erased and still in \(place)")
    }
}
