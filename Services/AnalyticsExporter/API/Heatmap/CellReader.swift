internal import ExporterStores
internal import ExporterSupport
internal import GRDB
internal import Models

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
    /// Puts months in the place of their days; nil: their sums are not looked at.
    var months: MonthReading?

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
        let stored = try StoredCells(
            db, of: query.programme, query.cellScope, networks: networks, withUnshared: withUnshared,
            stratum: query.stratum)
        let steps = try months.map { $0.steps(buckets, whole: try MonthStore.whole(db)) } ?? buckets.map { .cells($0) }
        for step in steps {
            switch step {
            case .cells(let bucket): try add(bucket, stored, level, ranges, to: &cells, &rowsLeft, by: key)
            case .month(let month, let first):
                try add(month, first, db, level, ranges, to: &cells, &rowsLeft, by: key)
            }
        }
    }

    /// Adds the cells of a bucket.
    private func add<Key: Hashable, Sum: CellAdding>(
        _ bucket: Bucket, _ stored: StoredCells, _ level: Int, _ ranges: [ClosedRange<UInt64>],
        to cells: inout [Key: Sum], _ rowsLeft: inout Int, by key: (Bucket, Quadkey, _ scope: Int64) -> Key?
    ) throws {
        for range in ranges {
            // A look costs what a row does, also where there is none.
            rowsLeft -= 1
            guard rowsLeft >= 0 else { throw tooManyStored }
            var last: StoredCells.Place?
            try stored.forEach(of: bucket, level: level, in: range) { row, place in
                rowsLeft -= 1
                guard rowsLeft >= 0 else { throw tooManyStored }
                guard let name = key(bucket, Quadkey(level: level, code: UInt64(place.code)), place.scope) else {
                    return
                }
                let isThere = try stored.withFigures(row, isOther: place == last) {
                    cells[name, default: Sum()].add($0, of: metric)
                }
                if isThere { last = place }
                if cells.count > cellLimit { throw tooMany }
            }
        }
    }

    /// Adds the sums of a month, as of its first day.
    private func add<Key: Hashable, Sum: CellAdding>(
        _ month: CivilMonth, _ first: Bucket, _ db: Database, _ level: Int, _ ranges: [ClosedRange<UInt64>],
        to cells: inout [Key: Sum], _ rowsLeft: inout Int, by key: (Bucket, Quadkey, _ scope: Int64) -> Key?
    ) throws {
        let stored = try StoredMonths(
            db, of: query.programme, query.cellScope, metric: metric, networks: networks, withUnshared: withUnshared,
            stratum: query.stratum)
        for range in ranges {
            rowsLeft -= 1
            guard rowsLeft >= 0 else { throw tooManyStored }
            try stored.forEach(of: month, level: level, in: range) { code, scope, sum in
                rowsLeft -= 1
                guard rowsLeft >= 0 else { throw tooManyStored }
                guard let name = key(first, Quadkey(level: level, code: code), scope) else { return true }
                let isSound = cells[name, default: Sum()].add(kept: sum)
                if cells.count > cellLimit { throw tooMany }
                return isSound
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

    private var tooMany: ParameterFault {
        ParameterFault(
            "bbox",
            "more than \(cellLimit) cells of level \(query.level); ask for a smaller bbox, a lower level or longer buckets",
            code: "too_many_cells")
    }
}
