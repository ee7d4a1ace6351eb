internal import ExporterStores
internal import GRDB
internal import Lanes
internal import Models
internal import SubjectRights

/// Notices that nobody acknowledged. Those that somebody did go earlier, by themselves.
final class NoticeRetention: RetainedKind {
    let kind = RetentionKind.erasureNotices
    let itemsAtOnce = 200

    static func createIndex(_ db: Database) throws {
        try db.execute(sql: "CREATE INDEX erasure_notices_by_time ON erasure_notices (published_at, number)")
    }

    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT published_at, number FROM erasure_notices
                    WHERE published_at < ? AND (published_at, number) > (?, ?) ORDER BY published_at, number LIMIT ?
                    """), arguments: [before, mark.time, mark.number, limit])
        return RetentionLook(
            rows.map { RetainedItem(RetentionMark(time: $0[0], number: $0[1])) }, limit: limit)
    }

    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        for item in items { try NoticeStore.remove(item.mark.number, transaction.db) }
    }

    func oldest(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db, sql: "SELECT min(published_at) FROM erasure_notices")
    }
}
