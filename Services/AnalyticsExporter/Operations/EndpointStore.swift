package import GRDB
internal import Models
internal import Storage
package import Wire

/// Copies of the alert endpoints that the router has announced.
package enum EndpointStore {
    /// Takes over the rows of a block of kind endpoint.
    ///
    /// - Returns: how many there were.
    package static func apply(_ columns: Columns, in db: Database) throws -> Int {
        guard let keys = columns[ColumnID.key] else { return 0 }
        let documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row) else { continue }
            let tenant = String(decoding: key, as: UTF8.self)
            if let document = documents?.value(row) {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO endpoints (tenant, document) VALUES (?, ?)",
                    arguments: [tenant, Blob.value(Array(document))])
            } else {
                try db.execute(sql: "DELETE FROM endpoints WHERE tenant = ?", arguments: [tenant])
            }
        }
        return columns.rowCount
    }
}
