import Foundation
import GRDB
import ServiceKit

/// How many bytes the services' files hold, by what they are for.
struct StoredFiles {
    let home: Home

    /// Bytes of a service's day files with their write-ahead logs left out: pages in use.
    func dayFiles(_ service: ServiceName, _ folder: String) throws -> Int {
        let directory = "\(home.directory(of: service))/\(folder)"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".sqlite") }
        return try names.reduce(0) { $0 + (try pages("\(directory)/\($1)") { _ in true }) }
    }

    /// Bytes of the tables of ingest's database that a test picks by their name (indexes count for their table).
    func ingest(_ isCounted: (String) -> Bool) throws -> Int { try pages(home.database(of: .ingest), isCounted) }

    /// Bytes of every copy of the reports, by table: `raw` `journal` `open`, and those of the duplicate state by their names.
    func copies() throws -> [String: Int] {
        var bytes = Dictionary(
            uniqueKeysWithValues: try Self.duplicateTables.map { name in (name, try ingest { $0 == name }) })
        bytes["raw"] = try dayFiles(.analyticsExporter, "raw")
        bytes["journal"] = try ingest { $0.hasPrefix("lane_") }
        bytes["open"] = try dayFiles(.batchAggregator, "open")
        return bytes
    }

    /// Where ingest keeps what it knows records by.
    static let duplicateTables = ["memories", "memory_changes", "receipts"]

    /// Blocks of raw rows, and the rows in them.
    func rawBlocks() throws -> (count: Int, rows: Int) {
        let directory = "\(home.directory(of: .analyticsExporter))/raw"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".sqlite") }
        return try names.reduce((0, 0)) { sum, name in
            try read("\(directory)/\(name)") { db in
                let row = try Row.fetchOne(db, sql: "SELECT count(*), coalesce(sum(row_count), 0) FROM blocks")
                return (sum.0 + (row?[0] ?? 0), sum.1 + (row?[1] ?? 0))
            }
        }
    }

    private func pages(_ path: String, _ isCounted: (String) -> Bool) throws -> Int {
        try read(path) { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT coalesce(schema.tbl_name, pages.name) AS name, sum(pages.pgsize) AS bytes FROM dbstat AS pages
                    LEFT JOIN sqlite_schema AS schema ON schema.name = pages.name GROUP BY 1
                    """)
            return rows.filter { isCounted($0["name"]) }.reduce(0) { $0 + ($1["bytes"] as Int) }
        }
    }

    private func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? database.close() }
        return try database.read(body)
    }
}
