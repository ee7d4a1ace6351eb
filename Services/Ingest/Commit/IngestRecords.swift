internal import GRDB
internal import IngestSupport
internal import Lanes
internal import Models
internal import SubjectRights

/// What ingest's own tables have of subjects. Only an erasure of everything takes something there: of parts, records are in
/// the journals alone, and what is remembered of them refuses them when they are sent again.
///
/// Confined to the thread that writes the database.
final class IngestRecords: SubjectRecords {
    /// Rows of `memory_changes` that one slice goes through: a millisecond or two, for which uploads and alarms wait.
    static let slice: Int64 = 1_024
    /// Where the memories of devices are kept in mind, too; set before the first slice.
    weak var engine: IngestEngine?
    private let declared = DeclaredRecords(IngestEngine.tables)
    private var hasErasedOwn = false
    private var changesDone: Int64 = 0
    /// The last row of `memory_changes` when the pass came to them: those that come later are of others.
    private var changesEnd: Int64?

    func beginPass() { (hasErasedOwn, changesDone, changesEnd) = (false, 0, nil) }

    func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        let devices = Set(subjects.filter(\.scope.isEverything).map(\.device))
        if !hasErasedOwn {
            hasErasedOwn = true
            var removed: [UInt64: Int] = [:]
            for device in devices { removed[device] = try erase(device, transaction.db) }
            return ErasureSlice(isDone: devices.isEmpty, removed: removed)
        }
        return ErasureSlice(isDone: try eraseChanges(devices, transaction.db))
    }

    /// Everything that is found by the device's ordinal; rows removed.
    private func erase(_ device: UInt64, _ db: Database) throws -> Int {
        try engine?.memories(db).forget(device)
        try IngestStore(db).forgetAccess(of: device)
        return try declared.eraseAll(of: device, db).removed
    }

    /// Rows of changes stay as empty ones: their numbers say what is newer than what.
    private func eraseChanges(_ devices: Set<UInt64>, _ db: Database) throws -> Bool {
        guard !devices.isEmpty else { return true }
        let end =
            try changesEnd ?? Int64.fetchOne(db, sql: "SELECT ifnull(max(number), 0) FROM memory_changes") ?? 0
        changesEnd = end
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT number, device FROM memory_changes WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
            arguments: [changesDone, end, Self.slice])
        for row in rows where devices.contains(UInt64(row[1] as Int64)) {
            try db.execute(
                sql: "UPDATE memory_changes SET device = 0, changes = zeroblob(length(changes)) WHERE number = ?",
                arguments: [row[0] as Int64])
        }
        changesDone = rows.last?[0] ?? changesDone
        return rows.count < Self.slice
    }
}
