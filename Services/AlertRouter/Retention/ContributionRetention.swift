internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights

/// That devices counted in alarms is forgotten when it is long ago; what is left of them is the alarm's counts. Those whose time
/// nobody noted go when nothing has happened to their alarm for as long.
///
/// A device that reports again in the same alarm afterwards counts as another one.
final class ContributionRetention: RetainedKind {
    /// Rows are found by their time, and those without one on their own.
    static let migration = Migration(
        "contributions by time",
        sql: """
            CREATE INDEX contributions_by_time ON alarm_devices (first_at, alarm, device) WHERE first_at IS NOT NULL;
            CREATE INDEX contributions_without_time ON alarm_devices (alarm, device) WHERE first_at IS NULL;
            """)

    let kind = RetentionKind.contributions
    let itemsAtOnce = 100

    /// Marks have the time, the alarm's number and the device; of rows without a time, that of the end.
    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        var items = mark.time == .max ? [] : try timed(before, mark, limit, db)
        let left = limit - items.count
        if left > 0 {
            let start = mark.time == .max ? mark : RetentionMark(time: .max)
            items += try timeless(before, start, left, db)
        }
        return RetentionLook(items, limit: limit)
    }

    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        let delete = try transaction.db.cachedStatement(sql: "DELETE FROM alarm_devices WHERE alarm = ? AND device = ?")
        var gone: [(key: String, device: UInt64?)] = []
        for item in items {
            let device = Self.device(item.mark)
            if let key = try Self.key(of: item.mark.number, device, transaction.db) { gone.append((key, device)) }
            try delete.execute(arguments: [item.mark.number, Int64(bitPattern: device)])
        }
        if !gone.isEmpty { try transaction.emit.append(to: .alerts, kind: .contribution, columns: .tombstones(gone)) }
    }

    func oldest(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db, sql: "SELECT min(first_at) FROM alarm_devices WHERE first_at IS NOT NULL")
    }

    private func timed(
        _ before: UnixMilliseconds, _ mark: RetentionMark, _ limit: Int, _ db: Database
    ) throws -> [RetainedItem] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT first_at, alarm, device FROM alarm_devices
                    WHERE first_at < ? AND (first_at, alarm, device) > (?, ?, ?) ORDER BY first_at, alarm, device LIMIT ?
                    """), arguments: [before, mark.time, mark.number, Int64(bitPattern: Self.device(mark)), limit])
        return rows.map { RetainedItem(Self.mark(time: $0[0], alarm: $0[1], device: $0[2])) }
    }

    private func timeless(
        _ before: UnixMilliseconds, _ mark: RetentionMark, _ limit: Int, _ db: Database
    ) throws -> [RetainedItem] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT alarm, device FROM alarm_devices JOIN alarms ON number = alarm
                    WHERE first_at IS NULL AND (alarm, device) > (?, ?) AND changed_at < ? ORDER BY alarm, device LIMIT ?
                    """), arguments: [mark.number, Int64(bitPattern: Self.device(mark)), before, limit])
        return rows.map { RetainedItem(Self.mark(time: .max, alarm: $0[0], device: $0[1])) }
    }

    /// What a contribution has as its key on the lane; nil if it was never told.
    private static func key(of alarm: Int64, _ device: UInt64, _ db: Database) throws -> String? {
        let statement = try db.cachedStatement(
            sql: "SELECT told FROM alarm_devices WHERE alarm = ? AND device = ?")
        let told = try Int64.fetchOne(statement, arguments: [alarm, Int64(bitPattern: device)]) ?? 0
        guard told > 0, let id = try AlertRouterStore.id(of: alarm, db) else { return nil }
        return ContributionDocument(alarm: id, device: device, records: 0, firstAt: 0).key
    }

    private static func mark(time: UnixMilliseconds, alarm: Int64, device: Int64) -> RetentionMark {
        RetentionMark(time: time, number: alarm, name: String(UInt64(bitPattern: device)))
    }

    private static func device(_ mark: RetentionMark) -> UInt64 { UInt64(mark.name) ?? 0 }
}
