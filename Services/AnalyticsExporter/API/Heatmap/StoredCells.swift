internal import ExporterStores
internal import ExporterSupport
internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Stored cells of a programme that somebody may see, while they are read in one transaction.
struct StoredCells {
    private let select, find: Statement
    private let stratum: UInt8?
    private let withUnshared: Bool

    /// What stored cells of one bucket have in common that differ by their population.
    struct Place: Hashable {
        let code, scope, stratum: Int64

        fileprivate init(_ row: Row) { (code, scope, stratum) = (row[0], row[4], row[5]) }
    }

    /// - Parameters:
    ///   - cellScope: whose cells the programme has.
    ///   - networks: whose cells are read.
    ///   - withUnshared: whether cells count that are not shared with operators.
    ///   - stratum: nil: of all strata.
    init(
        _ db: Database, of programme: Programme, _ cellScope: RowScope, networks: NetworkScope, withUnshared: Bool,
        stratum: UInt8? = nil
    ) throws {
        (self.stratum, self.withUnshared) = (stratum, withUnshared)
        select = try db.cachedStatement(
            sql: """
                \(Self.columns)
                WHERE programme = \(programme.number) AND bucket = ?1 AND level = ?2 AND bucket_start = ?3
                AND quadkey BETWEEN ?4 AND ?5 AND \(networks.condition(on: "scope", of: cellScope))
                AND (?6 IS NULL OR stratum = ?6) AND (?7 IS NULL OR population = ?7)
                ORDER BY quadkey, scope, stratum, population
                """)
        find = try db.cachedStatement(sql: Self.columns + " WHERE " + CellStore.keyCondition)
    }

    private static let columns =
        "SELECT quadkey, devices, histograms, source, scope, stratum, samples, spreads FROM cells"

    /// The cells of a bucket and a level (0: without a place), in the order of their codes, scopes, strata and populations.
    func forEach(
        of bucket: Bucket, level: Int, in range: ClosedRange<UInt64>, _ body: (Row, Place) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(select, arguments: arguments(bucket, level, range))
        while let row = try rows.next() { try body(row, Place(row)) }
    }

    /// Lends the figures of a stored cell.
    ///
    /// - Parameters:
    ///   - row: of ``forEach(of:level:in:_:)``.
    ///   - isOther: whether it is the other population of the cell before it.
    ///   - body: false if what it is lent is not a cell.
    /// - Returns: false if the cell has none: it refers to one that is not there yet.
    /// - Throws: `StorageError` `corrupt`.
    func withFigures(_ row: Row, isOther: Bool, _ body: (StoredCell) -> Bool) throws -> Bool {
        guard let figures = try figures(of: row) else { return false }
        let isSound = try figures.withUnsafeData(atIndex: 2) { histograms in
            try figures.withUnsafeData(atIndex: 7) { spreads in
                Self.withBytes(histograms) { histograms in
                    Self.withBytes(spreads) { spreads in
                        body(
                            StoredCell(
                                rows: figures[6], devices: figures[1], histograms: histograms, spreads: spreads,
                                isOther: isOther))
                    }
                }
            }
        }
        guard isSound else { throw corrupt(row, "not figures of a cell") }
        return true
    }

    private static func withBytes<Result>(_ data: Data?, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        data?.withUnsafeBytes(body) ?? body(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The row that has the figures of a stored cell: itself, or the one that it refers to; nil if that is not there.
    ///
    /// On the lane a reference may come before the cell it refers to, so that for a moment there is none, or one that is
    /// itself still a reference to what it was before. The first counts when it comes; of the second there is what it
    /// refers to. Each step leads inside, so there is an end.
    private func figures(of row: Row) throws -> Row? {
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
        StorageError(.corrupt, path: "cells", message: "code \(row[0] as Int64): \(what)")
    }

    private func arguments(_ bucket: Bucket, _ level: Int, _ range: ClosedRange<UInt64>) -> StatementArguments {
        [
            CellKey.Bucket(seconds: UInt32(bucket.seconds))?.rawValue, Int64(level), bucket.start,
            Int64(range.lowerBound), Int64(range.upperBound), stratum.map { Int64($0) },
            withUnshared ? nil : CellKey.Population.shared.rawValue,
        ]
    }
}
