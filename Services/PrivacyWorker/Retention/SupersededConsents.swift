internal import GRDB
internal import Lanes
internal import Models
internal import SubjectRights

/// Consents that newer ones of the same device have taken the place of, by when they have. The newest of a device stays as long
/// as the device.
final class SupersededConsents: RetainedKind {
    let kind = RetentionKind.consents
    /// Consents looked at in a slice.
    let itemsAtOnce = 500

    /// Every consent is looked at, by its number.
    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT number, length(document), (
                        SELECT max(min(newer.received_at), consents.received_at) FROM consents newer
                        WHERE newer.device = consents.device
                            AND (newer.version, newer.number) > (consents.version, consents.number))
                    FROM consents WHERE number > ? ORDER BY number LIMIT ?
                    """), arguments: [mark.number, limit])
        let superseded = rows.compactMap { row in
            (row[2] as Int64?).map {
                (item: RetainedItem(RetentionMark(time: $0, number: row[0]), bytes: row[1]), at: $0)
            }
        }
        return RetentionLook(
            items: superseded.filter { $0.at < before }.map(\.item),
            next: rows.count < limit ? nil : RetentionMark(time: .min, number: rows.last![0]),
            oldestKept: superseded.map(\.at).filter { $0 >= before }.min())
    }

    /// The ledger is append-only but for the numbers that stand in `consents_superseded` meanwhile.
    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        let mark = try transaction.db.cachedStatement(sql: "INSERT INTO consents_superseded (number) VALUES (?)")
        for item in items { try mark.execute(arguments: [item.mark.number]) }
        try transaction.db.execute(sql: "DELETE FROM consents WHERE number IN (SELECT number FROM consents_superseded)")
        try transaction.db.execute(sql: "DELETE FROM consents_superseded")
    }
}
