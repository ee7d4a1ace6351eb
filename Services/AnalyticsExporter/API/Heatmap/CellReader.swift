internal import ExporterStores
internal import ExporterSupport
internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Adds up the stored cells that somebody asks for.
struct CellReader {
    let query: CellSelection
    /// Number of the metric whose bins are added up.
    let metric: UInt8
    /// Networks whose cells are added up.
    let networks: NetworkScope
    /// Whether rows count that are not shared with operators.
    let withUnshared: Bool
    /// More cells than this are refused, so that memory and time stay bounded.
    let cellLimit: Int

    /// The cells of some buckets, added up by what `key` makes of a bucket, a Morton code of the level and the number of a
    /// scope.
    ///
    /// - Parameter level: the query's, or 0 for what has no place, whose code is 0.
    /// - Throws: ``ParameterFault`` `too_many_cells`.
    func cells<Key: Hashable, Sum: CellAdding>(
        _ db: Database, of buckets: [Bucket], level: Int, by key: (Bucket, _ code: UInt64, _ scope: Int64) -> Key
    ) throws -> [Key: Sum] {
        let ranges = level == 0 ? [0...0] : query.box.codeRanges(level: level)
        let tiles = level == 0 ? (columns: 0...0, rows: 0...0) : query.box.tiles(level: level)
        var cells: [Key: Sum] = [:], rowsLeft = Int.max
        try add(db, of: buckets, level, ranges, to: &cells, &rowsLeft) { bucket, place, scope in
            guard tiles.columns.contains(place.column), tiles.rows.contains(place.row) else { return nil }
            return key(bucket, place.code, scope)
        }
        return cells
    }

    /// The cells of an area in some buckets, added up by what `key` makes of a bucket, a cell of the area (or inside it, never
    /// around it) and the number of a scope.
    ///
    /// - Throws: ``ParameterFault`` `too_many_cells`, also if so many stored cells are read that the answer would be slow.
    func cells<Key: Hashable, Sum: CellAdding>(
        _ db: Database, of buckets: [Bucket], in area: CellArea, by key: (Bucket, Quadkey, _ scope: Int64) -> Key
    ) throws -> [Key: Sum] {
        var cells: [Key: Sum] = [:], rowsLeft = Self.mostStored
        for part in area.parts {
            try add(db, of: buckets, part.level, part.ranges, to: &cells, &rowsLeft, by: key)
        }
        return cells
    }

    /// - Parameter key: nil for a cell that does not count.
    private func add<Key: Hashable, Sum: CellAdding>(
        _ db: Database, of buckets: [Bucket], _ level: Int, _ ranges: [ClosedRange<UInt64>], to cells: inout [Key: Sum],
        _ rowsLeft: inout Int, by key: (Bucket, Quadkey, _ scope: Int64) -> Key?
    ) throws {
        let statement = try db.cachedStatement(sql: sql), find = try db.cachedStatement(sql: Self.findSQL)
        for bucket in buckets {
            for range in ranges {
                // A look costs what a row does, also where there is none.
                rowsLeft -= 1
                guard rowsLeft >= 0 else { throw tooManyStored }
                var last: Place?
                let rows = try Row.fetchCursor(statement, arguments: arguments(bucket, level, range))
                while let row = try rows.next() {
                    rowsLeft -= 1
                    guard rowsLeft >= 0 else { throw tooManyStored }
                    let code = UInt64(row[0] as Int64)
                    let now = Place(row)
                    guard let name = key(bucket, Quadkey(level: level, code: code), now.scope),
                        let figures = try figures(of: row, find)
                    else { continue }
                    guard try add(figures, isOther: now == last, to: &cells[name, default: Sum()]) else {
                        throw corrupt(row, "not figures of a cell")
                    }
                    last = now
                    if cells.count > cellLimit { throw tooMany }
                }
            }
        }
    }

    /// The most stored cells that are read for the figures of an area.
    static let mostStored = 250_000

    private var tooManyStored: ParameterFault {
        ParameterFault(
            "from",
            "more than \(Self.mostStored) stored cells would have to be added up; ask for a shorter period, longer buckets, one network or a smaller area",
            code: "too_many_cells")
    }

    /// What stored cells of one bucket have in common that differ by their population.
    private struct Place: Equatable {
        let code, scope, stratum: Int64

        init(_ row: Row) { (code, scope, stratum) = (row[0], row[4], row[5]) }
    }

    /// False if what the row has is not a cell.
    private func add(_ row: Row, isOther: Bool, to sum: inout some CellAdding) throws -> Bool {
        try row.withUnsafeData(atIndex: 2) { histograms in
            try row.withUnsafeData(atIndex: 7) { spreads in
                Self.withBytes(histograms) { histograms in
                    Self.withBytes(spreads) { spreads in
                        sum.add(
                            StoredCell(
                                rows: row[6], devices: row[1], histograms: histograms, spreads: spreads,
                                isOther: isOther),
                            of: metric)
                    }
                }
            }
        }
    }

    private static func withBytes<Result>(_ data: Data?, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        data?.withUnsafeBytes(body) ?? body(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The row that has the figures of a stored cell: itself, or the one that it refers to; nil if that is not there.
    ///
    /// On the lane a reference may come before the cell it refers to, so that for a moment there is none, or one that is
    /// itself still a reference to what it was before. The first counts when it comes; of the second there is what it
    /// refers to. Each step leads inside, so there is an end.
    private func figures(of row: Row, _ find: Statement) throws -> Row? {
        var found = row
        for _ in 0...CellKey.longestDescent {
            guard let bytes = found[3] as Data? else { return found }
            guard let source = CellKey(bytes: bytes) else { throw corrupt(row, "not a source") }
            let place = source.quadkey
            let arguments: StatementArguments = [
                Int64(source.programme), Int64(source.bucket.rawValue), source.bucketStart, place?.level ?? 0,
                Int64(place?.code ?? 0), Int64(source.scope), Int64(source.stratum), Int64(source.population.rawValue),
            ]
            guard let next = try Row.fetchOne(find, arguments: arguments) else { return nil }
            found = next
        }
        throw corrupt(row, "refers in a circle")
    }

    private func corrupt(_ row: Row, _ what: String) -> StorageError {
        StorageError(.corrupt, path: "cells", message: "level \(query.level), code \(row[0] as Int64): \(what)")
    }

    private func arguments(_ bucket: Bucket, _ level: Int, _ range: ClosedRange<UInt64>) -> StatementArguments {
        [
            CellKey.Bucket(seconds: UInt32(bucket.seconds))?.rawValue, Int64(level), bucket.start,
            Int64(range.lowerBound), Int64(range.upperBound), query.stratum.map { Int64($0) },
            withUnshared ? nil : CellKey.Population.shared.rawValue,
        ]
    }

    private var tooMany: ParameterFault {
        ParameterFault(
            "bbox",
            "more than \(cellLimit) cells of level \(query.level); ask for a smaller bbox, a lower level or longer buckets",
            code: "too_many_cells")
    }

    private static let columns =
        "SELECT quadkey, devices, histograms, source, scope, stratum, samples, spreads FROM cells"
    private static let findSQL = columns + " WHERE " + CellStore.keyCondition

    private var sql: String {
        """
        \(Self.columns)
        WHERE programme = \(query.programme.number) AND bucket = ?1 AND level = ?2 AND bucket_start = ?3
        AND quadkey BETWEEN ?4 AND ?5 AND \(networks.condition(on: "scope", of: query.cellScope)) AND (?6 IS NULL OR stratum = ?6)
        AND (?7 IS NULL OR population = ?7) ORDER BY quadkey, scope, stratum, population
        """
    }
}
