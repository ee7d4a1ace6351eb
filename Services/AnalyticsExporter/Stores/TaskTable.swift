package import GRDB

/// What tables of tasks have in common: `id`, `tenant`, `state`, `on_lane` (whether the command is on the lane yet) and `document`.
/// Every function runs in the caller's transaction.
package struct TaskTable: Sendable {
    private let name: String

    init(_ name: String) { self.name = name }

    /// Tasks that are decided and whose commands are on the lane yet, at most so many.
    package func answered(limit: Int, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT id FROM \(name) WHERE on_lane = 1 AND state <> 'pending' LIMIT ?", arguments: [limit])
    }

    /// Their commands are gone from the lane.
    package func forgetCommands(of tasks: [String], _ db: Database) throws {
        for id in tasks { try db.execute(sql: "UPDATE \(name) SET on_lane = 0 WHERE id = ?", arguments: [id]) }
    }

    /// The router has forgotten it.
    func remove(_ id: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM \(name) WHERE id = ?", arguments: [id])
    }

    /// The document of a tenant's task.
    func document(_ id: String, of tenant: String, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db, sql: "SELECT document FROM \(name) WHERE id = ? AND tenant = ?", arguments: [id, tenant])
    }
}
