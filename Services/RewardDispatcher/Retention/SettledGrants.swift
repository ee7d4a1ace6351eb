internal import GRDB
internal import Models
internal import SubjectRights

/// SQL of settled grants by the time they were settled.
struct SettledGrants {
    /// Of somebody only, or of nobody too.
    let ofSomebody: Bool

    private var condition: String { ofSomebody ? "erased_owner IS NULL" : "TRUE" }

    /// Bytes of a grant and its entries, about: its row, and two entries for each movement.
    private static let bytes = "150 + 2 * 90 * moves"

    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT changed_at, id, state, \(Self.bytes) FROM grants
                    WHERE \(condition) AND changed_at < ? AND (changed_at, id) > (?, ?)
                    ORDER BY changed_at, id LIMIT ?
                    """), arguments: [before, mark.time, mark.name, limit])
        let marks = rows.map { RetentionMark(time: $0[0], name: $0[1]) }
        let isOver = rows.map { GrantState(rawValue: $0[2])?.isFinal ?? false }
        return RetentionLook(
            items: zip(rows, zip(marks, isOver)).filter(\.1.1).map { RetainedItem($1.0, bytes: $0[3]) },
            next: rows.count < limit ? nil : marks.last)
    }

    func oldest(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db, sql: "SELECT min(changed_at) FROM grants WHERE \(condition)")
    }
}
