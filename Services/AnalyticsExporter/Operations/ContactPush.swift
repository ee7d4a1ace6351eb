internal import Crypto
package import GRDB
internal import Models
internal import ServiceKit

/// The channel by which a contact's own browser is told.
package enum ContactPush {
    /// Its name: the same for a contact, and tells nobody which.
    package static func id(_ tenant: String, _ contact: String) -> String {
        "push-" + Hexadecimal.text(Array(SHA256.hash(data: Array("\(tenant)/\(contact)".utf8)).prefix(16)))
    }

    /// A contact is revoked: its browser is told nothing any more.
    ///
    /// - Returns: what the lane is told.
    package static func remove(of tenant: String, _ contact: String, _ db: Database) throws -> [OperationRecord] {
        let id = id(tenant, contact)
        guard try DocumentStore.owner(of: id, .channel, db) != nil else { return [] }
        try DocumentStore.remove(id, of: .channel, db)
        return [OperationRecord(removed: id, of: .channel)]
    }
}
