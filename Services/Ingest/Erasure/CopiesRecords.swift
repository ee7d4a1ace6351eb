internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights

/// What ingest's copies of other services' state have of subjects.
final class CopiesRecords: SubjectRecords {
    func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        let filter = ErasureFilter(subjects)
        var removed: [UInt64: Int] = [:]
        for device in filter.devices.sorted() {
            removed[device] =
                try filter.takesEverything(of: device)
                ? eraseAll(Int64(device), transaction.db) : erasePart(device, filter, transaction.db)
        }
        if subjects.contains(where: \.scope.isEverything) {
            try ServiceDatabase.rewrite(tables: ["grants"], transaction.db)
        }
        return ErasureSlice(isDone: true, removed: removed)
    }

    /// Records of grants are identifiers: they are overwritten where they stand before they go.
    private func eraseAll(_ device: Int64, _ db: Database) throws -> Int {
        try db.execute(
            sql: "UPDATE grants SET record = replace(hex(zeroblob(length(record))), '00', '0') WHERE device = ?",
            arguments: [device])
        var removed = 0
        for table in ["subscribers", "grants", "contributions", "access_parts"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE device = ?", arguments: [device])
            removed += db.changesCount
        }
        return removed
    }

    private func erasePart(_ device: UInt64, _ filter: ErasureFilter, _ db: Database) throws -> Int {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT first_at, name, alarm FROM contributions WHERE device = ?
                """, arguments: [Int64(device)])
        var removed = 0
        for row in rows {
            let alarm: String = row[2]
            guard filter.takes(device: device, capturedAt: row[0], cell: ErasureScope.cell(ofAlarm: alarm)) else {
                continue
            }
            try db.execute(
                sql: "DELETE FROM contributions WHERE device = ? AND first_at = ? AND name = ?",
                arguments: [Int64(device), row[0] as Int64, row[1] as String])
            removed += db.changesCount
        }
        return removed
    }
}
