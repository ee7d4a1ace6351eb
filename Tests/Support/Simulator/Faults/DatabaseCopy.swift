import GRDB
import Storage

/// A backup of a database in memory.
enum DatabaseCopy {
    /// A new database with the same tables and rows.
    static func make(of original: ServiceDatabase, migrations: [Migration]) throws -> ServiceDatabase {
        let copy = try ServiceDatabase(path: ":memory:", migrations: migrations)
        try original.read { source in
            let objects = try Row.fetchAll(
                source,
                sql: "SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
            try copy.write { target in
                for object in objects {
                    let name: String = object["name"]
                    if try !target.tableExists(name), object["type"] == "table" {
                        try target.execute(sql: object["sql"])
                    }
                    if object["type"] == "table" { try copyRows(of: name, from: source, to: target) }
                }
            }
        }
        return copy
    }

    private static func copyRows(of table: String, from source: Database, to target: Database) throws {
        for row in try Row.fetchAll(source, sql: "SELECT * FROM \(table)") {
            let places = row.columnNames.map { _ in "?" }.joined(separator: ",")
            try target.execute(
                sql: "INSERT OR REPLACE INTO \(table) VALUES (\(places))",
                arguments: StatementArguments(row.databaseValues))
        }
    }
}
