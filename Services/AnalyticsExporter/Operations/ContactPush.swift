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
        var removed = try DocumentStore.remove(.channel, of: contact, tenant, db)
        // The browser of a contact that may only look does not name it.
        let push = id(tenant, contact)
        if try DocumentStore.owner(of: push, .channel, db) == tenant {
            try DocumentStore.remove(push, of: .channel, db)
            removed.append(OperationRecord(removed: push, of: .channel))
        }
        return removed
    }
}
