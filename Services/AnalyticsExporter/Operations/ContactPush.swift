internal import Crypto
package import GRDB
internal import Models
internal import ServiceKit

/// Channels that are a contact's own.
package enum ContactPush {
    /// The name of the one by which the contact's browser is told: the same for a contact, and tells nobody which.
    package static func id(_ tenant: String, _ contact: String) -> String {
        "push-" + Hexadecimal.text(Array(SHA256.hash(data: Array("\(tenant)/\(contact)".utf8)).prefix(16)))
    }

    /// A contact is revoked: nothing is told to it any more.
    ///
    /// - Returns: what the lane is told.
    package static func remove(of tenant: String, _ contact: String, _ db: Database) throws -> [OperationRecord] {
        let own = try String.fetchAll(
            db,
            sql: """
                SELECT key FROM operations WHERE kind = ?1 AND tenant = ?2
                AND (key = ?3 OR json_extract(CAST(document AS TEXT), '$.contact') = ?4) ORDER BY key
                """, arguments: [Int64(RecordKind.channel.id), tenant, id(tenant, contact), contact])
        return try own.map { channel in
            try DocumentStore.remove(channel, of: .channel, db)
            return OperationRecord(removed: channel, of: .channel)
        }
    }
}
