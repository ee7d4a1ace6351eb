internal import GRDB
internal import Lanes
internal import Models
internal import SubjectRights

/// Alarms that nothing happened to for long go, with what is left of who counted in them and with the messages that told
/// their last state; their episodes stay. What Nkul itself owes stays as long as it is owed.
final class AlarmRetention: RetainedKind {
    let kind = RetentionKind.alarms
    /// Alarms looked at in a slice; some of an owner and subject.
    let itemsAtOnce = 200

    /// Every alarm is looked at, by its number: nothing is written with each record that counts in one, so that this is quick.
    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT number, changed_at, due_at IS NULL AND (scheme <> ? OR cleared_at IS NOT NULL) AS is_at_rest
                    FROM alarms WHERE number > ? ORDER BY number LIMIT ?
                    """), arguments: [AlarmKey.lateErasures().subject.scheme, mark.number, limit])
        let isOver = rows.map { ($0[1] as Int64) < before && $0[2] }
        let old = zip(rows, isOver).filter(\.1).map(\.0), kept = zip(rows, isOver).filter { !$0.1 }.map(\.0)
        return RetentionLook(
            items: old.map { RetainedItem(RetentionMark(time: $0[1], number: $0[0])) },
            next: rows.count < limit ? nil : RetentionMark(time: .min, number: rows.last![0]),
            oldestKept: kept.map { $0[1] as Int64 }.min())
    }

    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        var gone: [(key: String, device: UInt64?)] = [], contributions: [(key: String, device: UInt64?)] = []
        var handlings: [(key: String, device: UInt64?)] = []
        for item in items {
            guard let id = try AlertRouterStore.id(of: item.mark.number, transaction.db) else { continue }
            gone.append((id, nil))
            contributions += try told(item.mark.number, id, transaction.db)
            handlings += try AlarmHandlingRows.handlings(of: item.mark.number, transaction.db).map { ($0.key, nil) }
            try remove(item.mark.number, transaction.db)
        }
        try transaction.emit.append(to: .alerts, kind: .alarm, columns: .tombstones(gone))
        if !handlings.isEmpty {
            try transaction.emit.append(to: .alerts, kind: .alarmHandling, columns: .tombstones(handlings))
        }
        guard !contributions.isEmpty else { return }
        try transaction.emit.append(to: .alerts, kind: .contribution, columns: .tombstones(contributions))
    }

    /// Who counted goes before its alarm does, unless the settings of a home were changed in between.
    private func told(_ number: Int64, _ alarm: String, _ db: Database) throws -> [(key: String, device: UInt64?)] {
        try Int64.fetchAll(
            db, sql: "SELECT device FROM alarm_devices WHERE alarm = ? AND told > 0 ORDER BY device",
            arguments: [number]
        ).map { device in
            let device = UInt64(bitPattern: device)
            return (ContributionDocument(alarm: alarm, device: device, records: 0, firstAt: 0).key, device)
        }
    }

    /// Devices and networks go with the alarm's row; messages are found by the one that each tenant was told last, which may be
    /// the second of two. Others are there only if the end was told lately; they go when their time for REPLAY is over.
    private func remove(_ number: Int64, _ db: Database) throws {
        let tenants = try Int64.fetchAll(db, sql: "SELECT tenant FROM alert_endpoints")
        for tenant in tenants {
            try db.execute(
                sql: """
                    DELETE FROM alert_messages WHERE tenant = ?1 AND alarm = ?2 AND seq IN (
                        SELECT l.seq - n.value FROM alert_latest l, (SELECT 0 AS value UNION SELECT 1) n
                        WHERE l.tenant = ?1 AND l.alarm = ?2)
                    """, arguments: [tenant, number])
            try db.execute(sql: "DELETE FROM alert_latest WHERE tenant = ? AND alarm = ?", arguments: [tenant, number])
        }
        try AlertRouterStore.keepEpisode(of: number, db)
        try db.execute(sql: "DELETE FROM alarms WHERE number = ?", arguments: [number])
    }
}
