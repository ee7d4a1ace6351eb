internal import Foundation
package import GRDB
internal import Models
internal import Storage
package import Wire

/// Copies of statistics cells, in the order in which the map asks for them.
///
/// Confined to the thread that writes the database, to whose connection its statements belong.
package final class CellStore {
    private let known, upsert, refer, delete: PreparedStatement

    /// - Parameter db: the writing connection.
    package init(_ db: Database) throws {
        known = try PreparedStatement(db, "SELECT samples FROM cells WHERE " + Self.keyCondition)
        upsert = try PreparedStatement(
            db, "INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)")
        refer = try PreparedStatement(
            db, "INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, x'', ?, NULL)")
        delete = try PreparedStatement(db, "DELETE FROM cells WHERE " + Self.keyCondition)
    }

    /// Takes over the rows of a block of kind cell: absolute figures or the cell that has them, the last one counts; a row
    /// without either deletes.
    ///
    /// - Parameters:
    ///   - version: of the kind, by which keys are read.
    ///   - changed: gets the hours and days of the rows.
    /// - Returns: by how much the samples of the whole (``CellKey/isOfWhole``) changed.
    package func apply(
        _ columns: Columns, version: UInt8, changed: inout ChangedBuckets
    ) throws -> Int64 {
        guard let rows = CellRows(columns, version: version) else { return 0 }
        var difference: Int64 = 0
        for row in 0..<columns.rowCount {
            guard let key = rows.key(row) else { throw WireError.corrupt(what: "key of a statistics cell") }
            let samples = rows.samples(row)
            changed.note(key)
            if key.isOfWhole {
                Self.bind(key, to: known)
                difference += (samples ?? 0) - (try known.step() ? known.integer(0) : 0)
                known.reset()
            }
            if rows.isReference(row) {
                try storeReference(rows, row, key)
            } else if let samples {
                try store(rows, row, key, samples)
            } else {
                Self.bind(key, to: delete)
                try delete.run()
            }
        }
        return difference
    }

    private func store(_ rows: CellRows, _ row: Int, _ key: CellKey, _ samples: Int64) throws {
        Self.bind(key, to: upsert)
        upsert.bind(samples, 9)
        upsert.bind(rows.devices(row), 10)
        try rows.withHistograms(row) { bytes in
            upsert.bind(bytes, 11)
            try rows.withSpreads(row) { spreads in
                upsert.bind(spreads, 12)
                try upsert.run()
            }
        }
    }

    /// Whether the source is there yet is seen when somebody asks: a block that has it may come later.
    private func storeReference(_ rows: CellRows, _ row: Int, _ key: CellKey) throws {
        guard let source = rows.source(row), source.isInside(key), !key.isOfWhole else {
            throw WireError.corrupt(what: "source of a statistics cell")
        }
        Self.bind(key, to: refer)
        try source.withBytes { bytes in
            refer.bind(bytes, 9)
            try refer.run()
        }
    }

    /// The primary key; where there is no cell there is no level and no quadkey: both are 0.
    private static func bind(_ key: CellKey, to statement: PreparedStatement) {
        statement.bind(Int64(key.programme), 1)
        statement.bind(Int64(key.bucket.rawValue), 2)
        statement.bind(key.bucketStart, 3)
        statement.bind(Int64(key.quadkey?.level ?? 0), 4)
        statement.bind(Int64(bitPattern: key.quadkey?.code ?? 0), 5)
        statement.bind(Int64(key.scope), 6)
        statement.bind(Int64(key.stratum), 7)
        statement.bind(Int64(key.population.rawValue), 8)
    }

    /// The parts of a key, in the order in which ``bind(_:to:)`` has them.
    package static let keyCondition = """
        programme = ? AND bucket = ? AND bucket_start = ? AND level = ? AND quadkey = ? AND scope = ? AND stratum = ?
        AND population = ?
        """
}
