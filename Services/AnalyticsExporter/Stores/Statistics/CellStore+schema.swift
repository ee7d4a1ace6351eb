internal import Foundation
package import GRDB
internal import Models
internal import Storage

/// The table of cells, as it came to be.
extension CellStore {
    /// Cells of mobile networks, of all rows together.
    package static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE cells (
                    bucket_seconds INTEGER NOT NULL, level INTEGER NOT NULL, bucket_start INTEGER NOT NULL,
                    quadkey INTEGER NOT NULL, plmn INTEGER NOT NULL, technology INTEGER NOT NULL,
                    samples INTEGER NOT NULL, devices INTEGER NOT NULL, histograms BLOB NOT NULL,
                    PRIMARY KEY (bucket_seconds, bucket_start, level, quadkey, plmn, technology)) WITHOUT ROWID;
                """)
    }

    /// References: cells with the figures of another, whose ``CellKey/bytes`` are the `source`.
    package static func addSources(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE cells ADD COLUMN source BLOB")
    }

    /// How samples are spread over devices; of cells that are there it is not known.
    package static func addSpreads(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE cells ADD COLUMN spreads BLOB")
    }

    /// Cells of any programme, by population. Those that are there become cells of what is not shared: nobody knows who of
    /// their rows' subscribers shares.
    ///
    /// Bucket by bucket, so that cells that come late are on few pages; somebody asks for a bucket and a level.
    package static func addPopulations(_ db: Database) throws {
        let newer = DatabaseFunction("newer_key", argumentCount: 1, pure: true) { values in
            guard let bytes = Data.fromDatabaseValue(values[0]) else { return nil }
            guard let key = bytes.withUnsafeBytes({ CellKey(version1: $0) }) else {
                throw StorageError(.corrupt, path: "cells", message: "the source of a cell is none")
            }
            return Data(key.bytes)
        }
        db.add(function: newer)
        defer { db.remove(function: newer) }
        try db.execute(
            sql: """
                CREATE TABLE newer_cells (
                    programme INTEGER NOT NULL, bucket INTEGER NOT NULL, bucket_start INTEGER NOT NULL,
                    level INTEGER NOT NULL, quadkey INTEGER NOT NULL, scope INTEGER NOT NULL, stratum INTEGER NOT NULL,
                    population INTEGER NOT NULL, samples INTEGER NOT NULL, devices INTEGER NOT NULL,
                    histograms BLOB NOT NULL, source BLOB,
                    PRIMARY KEY (programme, bucket, bucket_start, level, quadkey, scope, stratum, population)
                ) WITHOUT ROWID;
                INSERT INTO newer_cells
                    SELECT \(Programme.qoeNumber), CASE bucket_seconds WHEN 300 THEN 0 WHEN 3600 THEN 1 ELSE 2 END, bucket_start,
                        level, quadkey, plmn, technology, 0, samples, devices, histograms, newer_key(source)
                    FROM cells ORDER BY bucket_seconds, bucket_start, level, quadkey, plmn, technology;
                DROP TABLE cells;
                ALTER TABLE newer_cells RENAME TO cells;
                """)
    }
}
