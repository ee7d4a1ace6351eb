import GRDB
import Lanes
import Models
import ServiceKit

/// The journals and cursors in a service's database at a moment.
struct LaneCensus {
    private(set) var journals: [JournalSummary] = []
    private(set) var cursors: [Position] = []
    /// How far erasures and retention have come: what stands in other files of the service changes with it.
    let erasures: [Int64]
    /// Whether the restore that the home came out of has been taken in; true of a home that was never restored.
    let isSettled: Bool

    init(_ db: Database, restore: String?) throws {
        for lane in LaneName.allCases {
            if let journal = try JournalSummary(lane: lane, db) { journals.append(journal) }
        }
        if try db.tableExists("cursors") { cursors = try LaneName.allCases.compactMap { try Cursor.read($0, db) } }
        erasures = try Self.erasures(db)
        isSettled = try restore.map { try RestoreRecord.isSettled($0, db) } ?? true
    }

    /// Tables that change with each step of an erasure, or of a retention that unlinks files, and what shows it.
    private static let progress = [
        ("erasures", "count(*), total(state), total(removed)"), ("erasing_rows", "count(*), coalesce(max(number), 0)"),
        ("sealing", "total(ordered), total(through), count(place)"),
        ("raw_erasures", "count(*), total(sequence)"), ("raw_retirements", "count(*), total(replace(day, '-', ''))"),
    ]

    static func erasures(_ db: Database) throws -> [Int64] {
        try progress.flatMap { table, columns -> [Int64] in
            guard try db.tableExists(table), let row = try Row.fetchOne(db, sql: "SELECT \(columns) FROM \(table)")
            else { return [] }
            return row.databaseValues.map { Int64.fromDatabaseValue($0) ?? Int64(Double.fromDatabaseValue($0) ?? 0) }
        }
    }
}
