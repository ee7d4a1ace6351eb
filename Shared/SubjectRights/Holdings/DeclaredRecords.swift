public import GRDB
public import Lanes
internal import Models
internal import Storage

/// What a service has of subjects in tables whose declaration says all: rows are found by the device, and deleted or emptied.
public final class DeclaredRecords: SubjectRecords {
    private let tables: [(name: String, rows: PersonalRows, owner: String)]

    /// - Parameter tables: of one database; those that the service's own code erases are left to it.
    public init(_ tables: [HeldTable]) {
        self.tables = tables.compactMap { table in
            guard let rows = table.rows, let owner = rows.owner else { return nil }
            if case .by = rows.erased { return nil }
            return (table.name, rows, owner)
        }
    }

    public func erase(
        _ subjects: [ErasureSubject], in transaction: inout EffectTransaction
    ) throws -> ErasureSlice {
        let filter = ErasureFilter(subjects), db = transaction.db
        var slice = ErasureSlice(isDone: true)
        for device in filter.devices.sorted() {
            if filter.takesEverything(of: device) {
                let all = try eraseAll(of: device, db)
                slice.removed[device] = all.removed
                guard all.isDone else { return ErasureSlice(isDone: false, removed: slice.removed) }
            } else {
                slice.removed[device] = try erasePart(of: device, filter, db)
            }
        }
        if subjects.contains(where: \.scope.isEverything) { try rewrite(db) }
        return slice
    }

    /// Takes everything of a device that is to go at once; how many rows were deleted, and whether those were all.
    public func eraseAll(of device: UInt64, _ db: Database) throws -> (removed: Int, isDone: Bool) {
        var removed = 0
        for table in tables {
            switch table.rows.erased {
            case .emptied(let assignments): try update(table.name, assignments, table.owner, device, db)
            case .deleted(let deletion):
                if let names = deletion.overwriting { try update(table.name, names, table.owner, device, db) }
                let count = try delete(table.name, table.owner, device, deletion, db)
                removed += count
                if count == deletion.atOnce { return (removed, false) }
            case .by: break
            }
        }
        return (removed, true)
    }

    private func update(
        _ table: String, _ assignments: String, _ owner: String, _ device: UInt64, _ db: Database
    ) throws {
        try db.cachedStatement(sql: "UPDATE \(table) SET \(assignments) WHERE \(owner) = ?")
            .execute(arguments: [Int64(bitPattern: device)])
    }

    private func delete(
        _ table: String, _ owner: String, _ device: UInt64, _ deletion: PersonalRows.Deletion, _ db: Database
    ) throws -> Int {
        let device = Int64(bitPattern: device)
        if let lock = deletion.unlockedBy {
            try db.execute(sql: "INSERT INTO \(lock) (device) VALUES (?)", arguments: [device])
        }
        let rows =
            deletion.atOnce.map { "rowid IN (SELECT rowid FROM \(table) WHERE \(owner) = ? LIMIT \($0))" }
            ?? "\(owner) = ?"
        try db.cachedStatement(sql: "DELETE FROM \(table) WHERE \(rows)").execute(arguments: [device])
        let removed = db.changesCount
        if let lock = deletion.unlockedBy { try db.execute(sql: "DELETE FROM \(lock)") }
        return removed
    }

    /// Rows whose time and place are in the scope.
    private func erasePart(of device: UInt64, _ filter: ErasureFilter, _ db: Database) throws -> Int {
        var removed = 0
        for table in tables {
            guard let scope = table.rows.scope else { continue }
            let columns = ([scope.time, scope.alarm] + scope.key).joined(separator: ", ")
            let rows = try Row.fetchAll(
                db, sql: "SELECT \(columns) FROM \(table.name) WHERE \(table.owner) = ?",
                arguments: [Int64(bitPattern: device)])
            let key = scope.key.map { " AND \($0) = ?" }.joined()
            let delete = try db.cachedStatement(sql: "DELETE FROM \(table.name) WHERE \(table.owner) = ?\(key)")
            for row in rows
            where filter.takes(device: device, capturedAt: row[0], cell: ErasureScope.cell(ofAlarm: row[1])) {
                let values = (2..<2 + scope.key.count).map { row[$0] as DatabaseValue }
                try delete.execute(
                    arguments: [Int64(bitPattern: device)]
                        + StatementArguments(values.map { $0 as any DatabaseValueConvertible }))
                removed += db.changesCount
            }
        }
        return removed
    }

    private func rewrite(_ db: Database) throws {
        let names = tables.compactMap { table in
            if case .deleted(let deletion) = table.rows.erased, deletion.rewrites { table.name } else { nil }
        }
        if !names.isEmpty { try ServiceDatabase.rewrite(tables: names, db) }
    }
}
