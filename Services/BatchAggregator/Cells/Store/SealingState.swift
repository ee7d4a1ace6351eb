import Foundation
package import GRDB

/// How far buckets are sealed: the one row of the table `sealing`.
///
///     … │ sealed │ since ── devices are being taken from these cells ── through │ still to be sealed │ ordered … open
package struct SealingState: Equatable {
    static let schema = """
        CREATE TABLE sealing (
            id INTEGER PRIMARY KEY CHECK (id = 1), ordered INTEGER NOT NULL, through INTEGER NOT NULL,
            since INTEGER NOT NULL, minimum INTEGER NOT NULL, place BLOB);
        INSERT INTO sealing VALUES (1, 0, 0, 0, 0, NULL);
        """

    /// Local days that begin before this are to be sealed; the begin of one, Unix seconds.
    package var ordered: Int64
    /// Buckets that begin before this are closed: no row enters them any more.
    package var through: Int64
    /// Buckets that begin before this have been without devices for longer.
    package var since: Int64
    /// Devices of a cell that stays, as they were set when ``through`` was closed: all cells are judged alike.
    package var minimum: Int
    /// What was not looked at yet of the cells between ``since`` and ``through`` comes before this key, or beginning of one,
    /// for they are looked at from the last to the first; nil: all were.
    package var place: [UInt8]?

    /// There are days to be closed, or cells to be looked at.
    package var isAtWork: Bool { ordered > through || place != nil }

    package static func read(_ db: Database) throws -> SealingState {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT ordered, through, since, minimum, place FROM sealing"))
        guard let row else { throw AggregatorError.cellCorrupt("how far buckets are sealed") }
        return SealingState(
            ordered: row[0], through: row[1], since: row[2], minimum: row[3],
            place: (row[4] as Data?).map { [UInt8]($0) })
    }

    package func write(_ db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE sealing SET ordered = ?, through = ?, since = ?, minimum = ?, place = ?"
        ).execute(arguments: [ordered, through, since, minimum, place.map { Data($0) }])
    }
}
