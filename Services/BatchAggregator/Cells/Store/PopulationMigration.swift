import Foundation
import GRDB
package import Lanes
import Models
package import Storage
import Wire

/// Takes over what a program wrote before cells had populations: all of it is of what is not shared.
///
///     cells, erasing_cells, sealing, folding_days     keys and places in their new form      with the schema
///     rollups                                         keys in their new form, block by block  before the engine starts
///
/// Blocks keep their numbers and rows, so that readers go on where they are, and whoever begins now gets the same snapshot. How far
/// the blocks are is in `older_rollups`, which goes with the last one: killed anywhere, it goes on there.
package enum PopulationMigration {
    static let step = Migration("cells by programme and population") { db in
        try takeOver(
            db,
            cells: """
                CREATE TABLE newer_cells (
                    key BLOB PRIMARY KEY, samples INTEGER NOT NULL, device_count INTEGER NOT NULL, devices BLOB NOT NULL,
                    histograms BLOB NOT NULL, source BLOB) WITHOUT ROWID;
                INSERT INTO newer_cells
                    SELECT newer_store_key(key), samples, device_count, devices, histograms, newer_store_key(source)
                    FROM cells ORDER BY key;
                DROP TABLE cells;
                ALTER TABLE newer_cells RENAME TO cells;
                CREATE TABLE newer_cells (key BLOB PRIMARY KEY, through INTEGER NOT NULL) WITHOUT ROWID;
                INSERT INTO newer_cells SELECT newer_key(key), through FROM erasing_cells;
                DROP TABLE erasing_cells;
                ALTER TABLE newer_cells RENAME TO erasing_cells;
                UPDATE sealing SET place = newer_store_key(place);
                """)
        try takeOverFold(db)
        if try db.tableExists("lane_rollups_blocks") {
            try db.execute(
                sql: "CREATE TABLE older_rollups (through INTEGER NOT NULL); INSERT INTO older_rollups VALUES (0)")
        }
    }

    private static func takeOver(_ db: Database, cells sql: String) throws {
        let functions = [
            function("newer_store_key") { try CellStoreKey.newer($0) },
            function("newer_key") { bytes in
                guard let key = CellKey(version1: bytes) else {
                    throw AggregatorError.cellCorrupt("a key to be erased")
                }
                return key.bytes
            },
        ]
        functions.forEach(db.add(function:))
        defer { functions.forEach(db.remove(function:)) }
        try db.execute(sql: sql)
    }

    /// A function of bytes; that of nothing is nothing.
    private static func function(
        _ name: String, _ body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> [UInt8]
    ) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 1, pure: true) { values in
            guard let bytes = Data.fromDatabaseValue(values[0]), !bytes.isEmpty else { return nil }
            return Data(try bytes.withUnsafeBytes(body))
        }
    }

    /// Where folds stopped amid a day. Devices of a place were cut more finely: a cut between two that are not told apart any
    /// more has all cells made anew, as for programs that cut otherwise altogether (``FoldLedger/takeOver(_:_:)``).
    private static func takeOverFold(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT day, first FROM folding_days") {
            let day: Int64 = row[0], older = UInt64(bitPattern: row[1])
            if let first = FoldRange.newer(older) {
                try db.execute(
                    sql: "UPDATE folding_days SET first = ? WHERE day = ?", arguments: [Int64(bitPattern: first), day])
            } else {
                try db.execute(sql: AggregatorSchema.olderSlices.replacing("TABLE", with: "TABLE IF NOT EXISTS"))
                try db.execute(
                    sql: "INSERT OR IGNORE INTO slices (day, part, parts) VALUES (?, 0, 1)", arguments: [day])
            }
        }
    }

    /// Bytes of blocks of one transaction, about.
    private static let slice = 4 << 20

    /// Writes the blocks of the lane anew that are left; to be called before anybody reads or keeps house.
    package static func finish(_ database: ServiceDatabase, _ rollups: Journal) throws {
        while try proceed(database, rollups) {}
    }

    /// Writes some blocks anew, in a transaction of its own; false if there is nothing left to do.
    static func proceed(_ database: ServiceDatabase, _ rollups: Journal, bytes: Int = slice) throws -> Bool {
        guard try database.read({ try $0.tableExists("older_rollups") }) else { return false }
        try database.write { db in
            let through = try Int64.fetchOne(db, sql: "SELECT through FROM older_rollups") ?? 0
            let next = try rollups.upgrade(db, kind: .cell, after: UInt64(through), bytes: bytes, newer(_:))
            if let next {
                try db.execute(sql: "UPDATE older_rollups SET through = ?", arguments: [Int64(next)])
            } else {
                try rollups.upgradeKeys(db, kind: .cell) { CellKey(version1: $0)?.bytes }
                try db.execute(sql: "DROP TABLE older_rollups")
            }
        }
        return true
    }

    /// A table of cells with its keys in their new form.
    private static func newer(_ columns: Columns) throws -> Columns {
        try Columns(
            rowCount: columns.rowCount,
            columns: columns.columns.map { column in
                guard column.id == ColumnID.key || column.id == ColumnID.source else { return column }
                var bytes: [UInt8] = [], ends: [UInt32] = []
                for row in 0..<columns.rowCount {
                    if column.presence[row] {
                        guard let key = column.withBytes(row, { CellKey(version1: $0) }) else {
                            throw AggregatorError.cellCorrupt("a key on rollups")
                        }
                        key.withBytes { bytes.append(contentsOf: $0) }
                    }
                    ends.append(UInt32(bytes.count))
                }
                return Column(id: column.id, presence: column.presence, bytes: bytes, ends: ends)
            })
    }
}

extension FoldRange {
    /// Where a record stands that stood at `older` when places were those of level 16: 32 bits of code, 8 of level, 24 of the
    /// device. Nil if it stood between two that stand at the same place now.
    static func newer(_ older: UInt64) -> UInt64? {
        guard older & 0xff == 0 else { return nil }
        let code = older >> 32, rest = older >> 24 & 0xff, device = older >> 8 & 0xffff
        if older == 0 { return 0 }
        return (code << 8 | 0xff) << 24 | (rest == 0xff ? rest : rest + 4) << 16 | device
    }
}

extension CellStoreKey {
    /// A key, or the beginning of one, in its new form:
    ///
    ///     bucket seconds 4 │ bucket start 8 │ plmn 4 │ technology 1 │ last level-16 code inside 4 │ 16 − level 1
    static func newer(_ older: UnsafeRawBufferPointer) throws -> [UInt8] {
        func load<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            Number(bigEndian: older.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        guard [12, 22].contains(older.count), let bucket = CellKey.Bucket(seconds: load(0, UInt32.self)) else {
            throw AggregatorError.cellCorrupt("key of \(older.count) bytes")
        }
        guard older.count == 22 else { return bound(bucket, load(4, Int64.self)) }
        let rest = older[21]
        guard rest <= 16 || rest == .max, older[16] <= CellKey.lastStratumOfVersion1 else {
            throw AggregatorError.cellCorrupt("level in a key")
        }
        let quadkey =
            rest == .max
            ? nil : Quadkey(level: 16 - Int(rest), code: UInt64(load(17, UInt32.self)) >> UInt64(2 * Int(rest)))
        let cell = CellKey(
            programme: Programme.qoeNumber, bucket: bucket, bucketStart: load(4, Int64.self), quadkey: quadkey,
            scope: load(12, UInt32.self), stratum: older[16], population: .unshared)
        var bytes = [UInt8](repeating: 0, count: length)
        bytes.withUnsafeMutableBytes { write(cell, to: $0) }
        return bytes
    }
}
