internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights

/// What the privacy worker keeps of subjects: their consents. Only an erasure of everything takes them.
final class ConsentRecords: SubjectRecords {
    /// Consents of one slice.
    static let slice = 1_000

    func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        var slice = ErasureSlice(isDone: true)
        for subject in subjects where subject.scope.isEverything {
            let removed = try remove(Int64(bitPattern: subject.device), transaction.db)
            slice.removed[subject.device] = removed
            if removed == Self.slice { return ErasureSlice(isDone: false, removed: slice.removed) }
        }
        return slice
    }

    /// The ledger is append-only for everybody but the device whose number stands in `consents_erased` meanwhile.
    private func remove(_ device: Int64, _ db: Database) throws -> Int {
        try db.execute(sql: "INSERT INTO consents_erased (device) VALUES (?)", arguments: [device])
        try db.execute(
            sql: """
                DELETE FROM consents WHERE number IN (SELECT number FROM consents WHERE device = ? LIMIT ?)
                """, arguments: [device, Self.slice])
        let removed = db.changesCount
        try db.execute(sql: "DELETE FROM consents_erased")
        return removed
    }
}
