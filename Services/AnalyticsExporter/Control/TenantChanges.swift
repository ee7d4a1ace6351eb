package import ExporterOperations
internal import ExporterStores
package import ExporterSupport
package import GRDB
package import Models

/// Changes of tenants, each in the caller's transaction, with what goes to the `operations` lane.
package enum TenantChanges {
    /// Adds a tenant with its first contact.
    ///
    /// - Parameter token: the digest of the contact's token.
    /// - Throws: `ControlError` if a name is taken or none.
    package static func add(
        _ new: NewTenant, _ contact: ContactDocument, clientPublicKey: String, token: SecretDigest,
        now: UnixMilliseconds, _ db: Database
    ) throws -> (StoredTenant, [OperationRecord]) {
        let tenant = try TenantStore.add(new, clientPublicKey: clientPublicKey, now: now, db)
        try ContactStore.add(contact, token: token, now: now, db)
        return (
            tenant,
            [
                try OperationRecord(.tenant, key: tenant.name, tenant.document),
                try OperationRecord(.contact, key: contact.key, contact),
            ]
        )
    }

    /// Removes a tenant with its rules, channels, schedules, escalations, planned work and keys of doors, and revokes its contacts.
    ///
    /// - Throws: `ControlError` if there is none.
    package static func remove(
        _ name: String, now: UnixMilliseconds, _ db: Database
    ) throws -> (StoredTenant, [OperationRecord]) {
        let number = try TenantStore.number(of: name, db)
        let contacts = try ContactStore.revoke(nil, of: number, now: now, db)
        try TenantStore.remove(number, now: now, db)
        try NoticeStore.remove(of: number, db)
        try ExportStore.remove(of: number, db)
        let records =
            try DocumentStore.remove(of: name, db)
            + contacts.map { OperationRecord(removed: $0.document.key, of: .contact) }
            + [OperationRecord(removed: name, of: .tenant)]
        return (try TenantStore.find(name, db)!, records)
    }
}
