public import GRDB

/// One step of a schema, from the version before it to its own.
///
/// Steps are never changed once released; the number of a schema is the number of its steps (SQLite's `user_version`).
public struct Migration: Sendable {
    /// Says what the step does; appears in errors.
    public let name: String
    let migrate: @Sendable (Database) throws -> Void

    /// A step that runs in a transaction of its own, once in the life of a database.
    public init(_ name: String, migrate: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.migrate = migrate
    }

    /// A step made of SQL statements separated by semicolons.
    public init(_ name: String, sql: String) {
        self.init(name) { try $0.execute(sql: sql) }
    }
}
