internal import ExporterOperations
internal import ExporterSupport
internal import Foundation
package import GRDB
package import Models
internal import Storage
internal import SubjectRights
package import Wire

/// SQL of how erasures stand, as the privacy worker tells it. Neither whose they are nor what they take is kept here: only
/// whether it is everything.
package enum ErasureOrderStore {
    package static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE erasure_orders (
                    request TEXT PRIMARY KEY, state TEXT NOT NULL, source TEXT NOT NULL, whole INTEGER NOT NULL,
                    requested_at INTEGER NOT NULL, due_at INTEGER NOT NULL, completed_at INTEGER, signed BLOB NOT NULL)
                    STRICT, WITHOUT ROWID;
                CREATE INDEX erasure_orders_by_time ON erasure_orders (requested_at, request);
                CREATE INDEX erasure_orders_by_state ON erasure_orders (state, requested_at, request);
                """)
    }

    /// Takes over the rows of a block of kind erasure_order; a key without a document is gone.
    package static func apply(_ columns: Columns, in db: Database) throws {
        let documents = try columns.documents(ErasureOrderDocument.self)
        for (_, document) in documents { try put(document, db) }
        let present = Set(documents.map(\.row))
        for row in 0..<columns.rowCount where !present.contains(row) {
            guard let key = columns[ColumnID.key]?.value(row) else { continue }
            try db.execute(
                sql: "DELETE FROM erasure_orders WHERE request = ?", arguments: [String(decoding: key, as: UTF8.self)])
        }
    }

    private static func put(_ order: ErasureOrderDocument, _ db: Database) throws {
        let signed = order.receipts.map { StoredErasure.Signature(service: $0.service, signed_at_ms: $0.signedAt) }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO erasure_orders
                    (request, state, source, whole, requested_at, due_at, completed_at, signed)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                order.request, order.state.rawValue, order.source.rawValue, order.scope.isEverything, order.requestedAt,
                order.dueAt, order.completedAt, Blob.value(try SortedJSON.bytes(of: signed)),
            ])
    }

    /// Erasures from the newest on.
    ///
    /// - Parameters:
    ///   - before: time and request of the one that they follow.
    ///   - state: nil for all.
    package static func list(
        before: ErasureCursor?, state: ErasureOrderDocument.State?, limit: Int, _ db: Database
    ) throws -> [StoredErasure] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(StoredErasure.columns) FROM erasure_orders
                WHERE (?1 IS NULL OR (requested_at, request) < (?1, ?2)) AND (?3 IS NULL OR state = ?3)
                ORDER BY requested_at DESC, request DESC LIMIT ?4
                """, arguments: [before?.requestedAt, before?.request, state?.rawValue, limit]
        ).map { try StoredErasure($0) }
    }

    /// How all of them stand.
    package static func summary(now: UnixMilliseconds, _ db: Database) throws -> ErasureSummary {
        var summary = ErasureSummary()
        for row in try Row.fetchAll(db, sql: "SELECT state, count(*) FROM erasure_orders GROUP BY state") {
            guard let state = ErasureOrderDocument.State(rawValue: row[0]) else { continue }
            summary.counts[state] = row[1]
        }
        let open = try Row.fetchOne(
            db, sql: "SELECT min(requested_at), total(due_at < ?1) FROM erasure_orders WHERE state <> 'completed'",
            arguments: [now])
        summary.oldestOpen = open?[0]
        summary.late = Int(open?[1] as Double? ?? 0)
        summary.completedLate =
            try Int.fetchOne(db, sql: "SELECT count(*) FROM erasure_orders WHERE completed_at > due_at") ?? 0
        let durations = "completed_at - requested_at FROM erasure_orders WHERE completed_at IS NOT NULL"
        let completed = summary.counts[.completed] ?? 0
        // The median is of the nearest rank: one that an erasure really took.
        summary.median = try Int64.fetchOne(
            db, sql: "SELECT \(durations) ORDER BY 1 LIMIT 1 OFFSET ?", arguments: [max(0, (completed - 1) / 2)])
        summary.longest = try Int64.fetchOne(db, sql: "SELECT \(durations) ORDER BY 1 DESC LIMIT 1")
        return summary
    }
}
