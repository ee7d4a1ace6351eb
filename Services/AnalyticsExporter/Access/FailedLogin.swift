internal import GRDB
internal import Models

/// A log-in that was refused: when, from which part of the network, and why. Never with what was given.
struct FailedLogin: Sendable, Equatable {
    enum Reason: String, Sendable {
        /// A log-in of the page with a token that is not known.
        case unknownToken = "unknown_token"
        /// A request with a Bearer token that is not known.
        case unknownBearer = "unknown_bearer"
        /// A request with another kind of `Authorization`.
        case notBearer = "not_bearer"
    }

    /// The last so many are kept, and none longer than ``age``.
    static let limit = 10_000
    /// 30 days.
    static let age: UnixMilliseconds = 30 * 86_400_000
    /// So many are shown at once.
    static let shown = 100

    let at: UnixMilliseconds
    let prefix: AddressPrefix
    let reason: Reason

    func store(_ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO failed_logins (at, prefix, reason) VALUES (?, ?, ?)",
            arguments: [at, prefix.text, reason.rawValue])
        try db.execute(
            sql: "DELETE FROM failed_logins WHERE number <= ? OR at < ?",
            arguments: [db.lastInsertedRowID - Int64(Self.limit), at - Self.age])
    }

    /// The last ``shown``, the newest first.
    static func newest(_ db: Database) throws -> [FailedLogin] {
        try Row.fetchAll(
            db, sql: "SELECT at, prefix, reason FROM failed_logins ORDER BY number DESC LIMIT ?", arguments: [shown]
        ).compactMap { row in
            Reason(rawValue: row[2]).map { FailedLogin(at: row[0], prefix: AddressPrefix(text: row[1]), reason: $0) }
        }
    }
}
