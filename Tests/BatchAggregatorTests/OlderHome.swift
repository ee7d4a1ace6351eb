import AggregatorCells
import Foundation
import GRDB
import Lanes
import Models
import Storage
import Wire

/// Makes of the files of an aggregator that runs no more what a program wrote before cells had populations.
struct OlderHome {
    private let path: String

    init(_ world: AggregatorWorld) { path = world.path }

    /// - Parameter finer: devices of a place that is cut are told apart by so much more than they are now.
    func age(finer: UInt64 = 0) throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: path + "/open") where file.hasSuffix(".sqlite")
        {
            try write(path + "/open/" + file) { try ageRows($0) }
        }
        try write(path + "/state.sqlite") { db in
            try map(db, "cells", "key", Self.storeKey)
            try map(db, "cells", "source", Self.storeKey)
            try map(db, "erasing_cells", "key", Self.key)
            try map(db, "sealing", "place", Self.storeKey)
            try map(db, "lane_rollups_keys", "key") { $0[0] == 3 ? [3] + Self.key(Array($0[1...])) : $0 }
            for row in try Row.fetchAll(db, sql: "SELECT day, first FROM folding_days WHERE first != 0") {
                let first = UInt64(bitPattern: row[1]), rest = first >> 16 & 0xff
                let level = rest == 0xff ? rest : rest - 4
                let older = (first >> 32) << 32 | level << 24 | (first & 0xffff) << 8 | finer
                try db.execute(
                    sql: "UPDATE folding_days SET first = ? WHERE day = ?",
                    arguments: [Int64(bitPattern: older), row[0] as Int64])
            }
            for number in try Int64.fetchAll(db, sql: "SELECT number FROM lane_rollups_blocks WHERE kind = 3") {
                try ageBlock(number, db)
            }
            // What came after populations is not there either.
            for table in ["uncounted_cells", "releases_made", "release_rounds", "releasing"] {
                try db.execute(sql: "DROP TABLE \(table)")
            }
            let step = AggregatorSchema.migrations.firstIndex { $0.name == "cells by programme and population" }
            try db.execute(sql: "PRAGMA user_version = \(step!)")
        }
    }

    private func write(_ path: String, _ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write(body)
        try queue.close()
    }

    /// Replaces the blobs of a column.
    private func map(_ db: Database, _ table: String, _ column: String, _ older: @escaping ([UInt8]) -> [UInt8]) throws
    {
        // Keys in the old form sort as those in the new one, so that none meets another on the way.
        nonisolated(unsafe) let older = older
        let function = DatabaseFunction("older", argumentCount: 1) { values in
            Data.fromDatabaseValue(values[0]).map { Data(older([UInt8]($0))) }
        }
        db.add(function: function)
        try db.execute(sql: "UPDATE \(table) SET \(column) = older(\(column)) WHERE \(column) IS NOT NULL")
    }

    private static func seconds(_ bucket: UInt8) -> [UInt8] {
        [[0, 0, 1, 0x2c], [0, 0, 0x0e, 0x10], [0, 1, 0x51, 0x80]][Int(bucket)]
    }

    /// Bucket 1, start 8, programme 1, scope 4, stratum 1, population 1, code of level 20 5, rest 1, or the first two of these.
    private static func storeKey(_ key: [UInt8]) -> [UInt8] {
        let head = seconds(key[0]) + key[1..<9]
        guard key.count == 22 else { return head }
        return head + key[10..<15] + key[16..<20] + [key[21] == 0xff ? 0xff : key[21] - 4]
    }

    /// Programme 1, bucket 1, start 8, level 1, code 5, scope 4, stratum 1, population 1.
    private static func key(_ key: [UInt8]) -> [UInt8] {
        seconds(key[1]) + key[2..<11] + key[12..<21]
    }

    private func ageBlock(_ number: Int64, _ db: Database) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT header, payload FROM lane_rollups_blocks WHERE number = ?", arguments: [number])!
        var decoder = ColumnDecoder()
        let block = Block(
            header: try BlockHeader(decoding: [UInt8](row[0] as Data)), payload: [UInt8](row[1] as Data))
        let columns = try block.columns(with: &decoder)
        var older = try block.replacing(
            Columns(
                rowCount: columns.rowCount,
                columns: columns.columns.map { column in
                    guard [ColumnID.key, ColumnID.source].contains(column.id) else { return column }
                    return Column(
                        id: column.id,
                        strings: (0..<columns.rowCount).map { column.value($0).map { Self.key(Array($0)) } })
                }))
        older.header.kindVersion = 2
        let header = older.header.encoded(), size = header.count + older.payload.count
        try db.execute(
            sql: "UPDATE lane_rollups_blocks SET header = ?, payload = ?, size = ? WHERE number = ?",
            arguments: [Data(header), Data(older.payload), size, number])
        try db.execute(sql: "UPDATE lane_rollups_state SET bytes = (SELECT sum(size) FROM lane_rollups_blocks)")
    }

    /// Open rows had neither kind nor flags.
    private func ageRows(_ db: Database) throws {
        var decoder = ColumnDecoder(), encoder = ColumnEncoder()
        for row in try Row.fetchAll(db, sql: "SELECT rowid, row_count, raw_length, crc32, payload FROM open_rows") {
            let columns = try decoder.decode(
                [UInt8](row[4] as Data), rowCount: row[1], rawLength: row[2], crc32: UInt32(row[3] as Int64))
            let older = try encoder.encode(
                Columns(
                    rowCount: columns.rowCount,
                    columns: columns.columns.filter { ![OpenRowColumn.kind, OpenRowColumn.flags].contains($0.id) }))
            try db.execute(
                sql: "UPDATE open_rows SET raw_length = ?, crc32 = ?, payload = ? WHERE rowid = ?",
                arguments: [older.rawLength, Int64(older.crc32), Data(older.payload), row[0] as Int64])
        }
    }
}
