internal import ExporterRows
internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights

/// Raw rows go by the day on which they were received: the day's file is unlinked.
///
///     transaction    rows of the day are not counted any more, the day is planned (`raw_retirements`)
///     commit
///     afterwards     the file is gone, and those beside it; the plan is forgotten
final class RawRowRetention: RetainedKind {
    let kind = RetentionKind.rawRows
    let itemsAtOnce = 2
    private let files: RawRowFiles
    private let database: ServiceDatabase
    private let retired: (_ rows: Int64, _ day: String, Database) throws -> Void
    private let gone: (_ days: [String]) -> Void

    /// - Parameters:
    ///   - retired: told how many raw rows go, in the transaction in which they are not counted any more.
    ///   - gone: told of which days there are no files any more.
    init(
        _ files: RawRowFiles, _ database: ServiceDatabase, retired: @escaping (Int64, String, Database) throws -> Void,
        gone: @escaping (_ days: [String]) -> Void
    ) {
        self.files = files
        self.database = database
        self.retired = retired
        self.gone = gone
    }

    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        let days = files.days.compactMap { day in
            ReceivedDay.number(named: day).map { (name: day, start: $0 * ReceivedDay.milliseconds) }
        }
        let old = days.filter { $0.start + ReceivedDay.milliseconds <= before && $0.start > mark.time }
        let items = try old.sorted { $0.start < $1.start }.prefix(limit).map { day in
            RetainedItem(
                RetentionMark(time: day.start, name: day.name), records: Int(try rows(of: day.name, db)),
                bytes: files.bytes(of: day.name))
        }
        return RetentionLook(items, limit: limit)
    }

    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        for item in items {
            try RawRetirements.add(item.mark.name, transaction.db)
            try RawErasurePlan.remove(item.mark.name, transaction.db)
            try retired(Int64(item.records), item.mark.name, transaction.db)
        }
    }

    func committed() throws { gone(try RawRetirements.carryOut(files, database)) }

    func oldest(_ db: Database) throws -> UnixMilliseconds? {
        // Those that are planned are as good as gone.
        let planned = Set(try RawRetirements.days(db))
        return files.days.filter { !planned.contains($0) }.compactMap(ReceivedDay.number(named:)).min().map {
            $0 * ReceivedDay.milliseconds
        }
    }

    /// Raw rows of a day that are counted: those that an erasure has taken out, or has planned to, are not.
    private func rows(of day: String, _ db: Database) throws -> Int64 {
        let planned = try RawErasurePlan.rows(of: day, db)
        return try files.database(of: day).read { try DayFile.rows(without: planned, files.layout, $0) }
    }
}

/// SQL of the day files that are to be unlinked and whose rows are no longer counted:
///
///     raw_retirements(day)
enum RawRetirements {
    static func createTable(_ db: Database) throws {
        try db.execute(sql: "CREATE TABLE raw_retirements (day TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")
    }

    static func add(_ day: String, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO raw_retirements (day) VALUES (?)", arguments: [day])
    }

    static func days(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT day FROM raw_retirements ORDER BY day")
    }

    /// Unlinks what is planned and forgets the plan; outside any transaction. After a crash in the middle it is repeated before
    /// anything is stored.
    ///
    /// - Returns: the days that went.
    @discardableResult
    static func carryOut(_ files: RawRowFiles, _ database: ServiceDatabase) throws -> [String] {
        let days = try database.read { try Self.days($0) }
        guard !days.isEmpty else { return [] }
        for day in days { try files.retire(day) }
        try database.write { try $0.execute(sql: "DELETE FROM raw_retirements") }
        return days
    }
}
