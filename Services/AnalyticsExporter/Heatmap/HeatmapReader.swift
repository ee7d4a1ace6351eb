internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Adds up the stored cells that a heat map is asked for.
struct HeatmapReader {
    let query: HeatmapQuery
    /// Networks whose cells are added up.
    let networks: NetworkScope
    let cover: BucketCover
    /// More cells than this are refused, so that memory and time stay bounded.
    let cellLimit: Int

    /// The cells by Morton code of the query's level.
    ///
    /// - Throws: ``ParameterFault`` `too_many_cells`.
    func cells(_ db: Database) throws -> [UInt64: HeatmapCell] {
        let statement = try db.cachedStatement(sql: sql)
        let ranges = query.box.codeRanges(level: query.level)
        let tiles = query.box.tiles(level: query.level)
        var cells: [UInt64: HeatmapCell] = [:]
        for bucket in buckets {
            for range in ranges {
                let rows = try Row.fetchCursor(statement, arguments: arguments(bucket, range))
                while let row = try rows.next() {
                    let code = UInt64(row[0] as Int64)
                    let place = Quadkey(level: query.level, code: code)
                    guard tiles.columns.contains(place.column), tiles.rows.contains(place.row) else { continue }
                    try add(row, to: &cells[code, default: HeatmapCell()])
                    if cells.count > cellLimit { throw tooMany }
                }
            }
        }
        return cells
    }

    private var buckets: [Bucket] {
        let to = query.period.upperBound
        return cover.buckets(from: query.period.lowerBound / 1000, to: to / 1000 + (to % 1000 > 0 ? 1 : 0))
    }

    private func add(_ row: Row, to cell: inout HeatmapCell) throws {
        cell.add(devices: row[1])
        try row.withUnsafeData(atIndex: 2) { data in
            let isSound = data?.withUnsafeBytes { cell.add($0, of: query.metric) } ?? false
            guard isSound else {
                throw StorageError(
                    .corrupt, path: "cells", message: "level \(query.level), code \(row[0] as Int64): not histograms")
            }
        }
    }

    private func arguments(_ bucket: Bucket, _ range: ClosedRange<UInt64>) -> StatementArguments {
        [
            bucket.seconds, Int64(query.level), bucket.start, Int64(range.lowerBound), Int64(range.upperBound),
            query.technology?.rawValue,
        ]
    }

    private var tooMany: ParameterFault {
        ParameterFault(
            "bbox", "more than \(cellLimit) cells of level \(query.level); ask for a smaller bbox or a lower level",
            code: "too_many_cells")
    }

    private var sql: String {
        """
        SELECT quadkey, devices, histograms FROM cells
        WHERE bucket_seconds = ?1 AND level = ?2 AND bucket_start = ?3 AND quadkey BETWEEN ?4 AND ?5
        AND \(networks.condition(on: "plmn")) AND (?6 IS NULL OR technology = ?6)
        """
    }
}
