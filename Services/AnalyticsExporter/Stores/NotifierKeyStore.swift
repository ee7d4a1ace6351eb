internal import Foundation
package import GRDB
package import Models
internal import Storage
package import Wire

/// The public keys of the home's notifier, in the exporter's own database: to which secrets of channels are sealed, and by which browsers
/// know this home. None is there until a notifier has run.
package enum NotifierKeyStore {
    package static func createTable(_ db: Database) throws {
        try db.execute(
            sql: "CREATE TABLE notifier_keys (key TEXT NOT NULL PRIMARY KEY, document BLOB NOT NULL) WITHOUT ROWID")
    }

    /// Takes over the rows of a block of kind `channel_key`.
    package static func apply(_ columns: Columns, in db: Database) throws {
        guard let keys = columns[ColumnID.key] else { return }
        let documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row).map({ String(decoding: $0, as: UTF8.self) }) else { continue }
            if let document = documents?.value(row).map(Array.init) {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO notifier_keys (key, document) VALUES (?, ?)",
                    arguments: [key, Blob.value(document)])
            } else {
                try db.execute(sql: "DELETE FROM notifier_keys WHERE key = ?", arguments: [key])
            }
        }
    }

    /// The keys in use; nil if the home has had no notifier.
    package static func current(_ db: Database) throws -> ChannelKeyDocument? {
        try Row.fetchOne(db, sql: "SELECT document FROM notifier_keys WHERE key = 'current'").map {
            try JSONDecoder().decode(ChannelKeyDocument.self, from: Data(Blob.bytes($0, 0)))
        }
    }
}
