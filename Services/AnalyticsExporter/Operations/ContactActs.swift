package import ExporterSupport
package import GRDB
package import Models

/// What contacts set, remove and do to log in, told to the audit log in the transaction that does it.
package enum ContactActs {
    /// - Parameter contact: nil is whoever may use the control socket.
    /// - Returns: what the lane is told: the act, and acts that are too old by now.
    package static func records(
        _ act: String, _ target: String, by contact: Caller?, now: UnixMilliseconds, _ db: Database
    ) throws -> [OperationRecord] {
        try records(
            act, target, by: contact?.contact ?? "nkul admin", contact?.tenant.name ?? "", now: now, db)
    }

    package static func records(
        _ act: String, _ target: String, by contact: String, _ tenant: String, now: UnixMilliseconds, _ db: Database
    ) throws -> [OperationRecord] {
        let document = ContactActDocument(tenant: tenant, contact: contact, act: act, target: target, at: now)
        let record = try OperationRecord(.contactAct, key: Secret.identifier(), document)
        try DocumentStore.put(record, of: tenant, db)
        return [record] + (try DocumentStore.removeOver(.contactAct, before: now - ContactActDocument.age, db))
    }
}
