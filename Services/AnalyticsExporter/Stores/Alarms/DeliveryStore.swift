internal import Foundation
package import GRDB
package import Models
internal import Storage
package import Wire

/// Copies of what the notifier told channels, in the exporter's own database. Every function runs in the caller's transaction.
package enum DeliveryStore {
    /// Deliveries of an alarm that are shown, the latest.
    static let most = 1_000

    package static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE alarm_deliveries (
                    id TEXT NOT NULL PRIMARY KEY, alarm TEXT NOT NULL, tenant TEXT NOT NULL, at INTEGER NOT NULL,
                    document BLOB NOT NULL) WITHOUT ROWID;
                CREATE INDEX alarm_deliveries_of_alarm ON alarm_deliveries (alarm, tenant, at);
                """)
    }

    /// Takes over the rows of a block of kind `delivery`. Without a tenant they are of a notifier of before, and shown to nobody.
    package static func apply(_ columns: Columns, in db: Database) throws {
        guard let keys = columns[ColumnID.key] else { return }
        let documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row).map({ String(decoding: $0, as: UTF8.self) }) else { continue }
            guard let bytes = documents?.value(row).map(Array.init) else {
                try db.execute(sql: "DELETE FROM alarm_deliveries WHERE id = ?", arguments: [key])
                continue
            }
            let delivery = try JSONDecoder().decode(DeliveryDocument.self, from: Data(bytes))
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO alarm_deliveries (id, alarm, tenant, at, document) VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [key, delivery.alarm, delivery.tenant ?? "", delivery.changedAt, Blob.value(bytes)])
        }
    }

    /// What a tenant's channels were told of an alarm, in the order of time.
    package static func deliveries(about alarm: String, of tenant: String, _ db: Database) throws -> [DeliveryDocument]
    {
        try Row.fetchAll(
            db,
            sql:
                "SELECT document FROM alarm_deliveries WHERE alarm = ? AND tenant = ? ORDER BY at DESC, id DESC LIMIT ?",
            arguments: [alarm, tenant, most]
        ).reversed().map { try JSONDecoder().decode(DeliveryDocument.self, from: Data(Blob.bytes($0, 0))) }
    }
}
