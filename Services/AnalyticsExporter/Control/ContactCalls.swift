internal import ExporterAPI
internal import ExporterOperations
internal import ExporterSupport
internal import Logging
internal import Models
internal import OnCall
internal import ServiceKit

/// `contact.add`, `contact.list`, `contact.revoke`, `contact.failures` on the control socket.
struct ContactCalls: Sendable {
    let changes: ChangeQueue
    let logger: Logger

    var all: [ControlCall] {
        [
            ControlCall("contact.add", wrapped(add)), ControlCall("contact.list", wrapped(list)),
            ControlCall("contact.revoke", wrapped(revoke)), ControlCall("contact.failures", wrapped(failures)),
        ]
    }

    /// `{tenant, name, role}` → the contact with its token, which is told this once.
    func add(_ arguments: JSONValue) async throws -> JSONValue {
        let words = ContactRole.allCases.map(\.rawValue).joined(separator: ", ")
        guard let role = ContactRole(rawValue: try arguments.text("role")) else {
            throw ControlError.argument("role", "is none of \(words)")
        }
        let contact = ContactDocument(
            tenant: try arguments.text("tenant"), name: try arguments.text("name"), role: role)
        let token = Secret.text()
        try await changes.submit { db, now in
            try ContactStore.add(contact, token: SecretDigest(of: token), now: now, db)
            return ((), [try OperationRecord(.contact, key: contact.key, contact)])
        }
        logger.notice(
            "contact added", metadata: ["tenant": "\(contact.tenant)", "contact": "\(contact.name)", "role": "\(role)"])
        return [
            "tenant": .string(contact.tenant), "name": .string(contact.name), "role": .string(role.rawValue),
            "token": .string(token),
        ]
    }

    /// `{tenant?}` → all contacts there ever were.
    func list(_ arguments: JSONValue) async throws -> JSONValue {
        let tenant = try arguments.optionalText("tenant")
        let contacts = try await changes.read { db in
            try ContactStore.all(of: try tenant.map { try TenantStore.number(of: $0, db) }, db)
        }
        return .array(
            contacts.map { contact in
                [
                    "tenant": .string(contact.tenant), "name": .string(contact.name),
                    "role": .string(contact.role.rawValue), "created_at_ms": .integer(contact.createdAt),
                    "revoked_at_ms": contact.revokedAt.map { .integer($0) } ?? .null,
                ]
            })
    }

    /// `{tenant, name}`: its token and its sessions are worth nothing from now on, and its channels and its keys of doors are gone.
    ///
    /// - Returns: which channels and keys went, and what still names the contact or one of those channels: somebody else is to be put in
    ///   its place.
    func revoke(_ arguments: JSONValue) async throws -> JSONValue {
        let tenant = try arguments.text("tenant"), name = try arguments.text("name")
        let (channels, keys, namings) = try await changes.submit { db, now in
            let number = try TenantStore.number(of: tenant, db)
            let revoked = try ContactStore.revoke(name, of: number, now: now, db)
            guard !revoked.isEmpty else {
                throw ControlError.notFound("tenant \(tenant) has no contact \"\(name)\"")
            }
            let channels = try ContactPush.remove(of: tenant, name, db)
            let keys = try DocumentStore.remove(.doorKey, of: name, tenant, db)
            let codes = try DocumentStore.remove(.loginCode, of: name, tenant, db)
            var namings = try OnCallReferences.namings(of: name, tenant: tenant, db)
            for channel in channels {
                let user = try OnCallReferences.escalation(naming: .channel(channel.key), of: tenant, db)
                namings += user.map { ["escalation \($0)"] } ?? []
            }
            return (
                (channels.map(\.key), keys.map(\.key), Set(namings).sorted()),
                revoked.map { OperationRecord(removed: $0.document.key, of: .contact) } + channels + keys + codes
            )
        }
        logger.notice("contact revoked", metadata: ["tenant": "\(tenant)", "contact": "\(name)"])
        return [
            "tenant": .string(tenant), "name": .string(name), "revoked": true,
            "removed_channels": .array(channels.map { .string($0) }),
            "removed_keys": .array(keys.map { .string($0) }),
            "still_named_by": .array(namings.map { .string($0) }),
        ]
    }

    /// `{}` → the last `FailedAuthentication.shown` log-ins that failed, the newest first.
    func failures(_ arguments: JSONValue) async throws -> JSONValue {
        .array(try await changes.read { try FailedAuthentication.newest($0) }.map(\.document))
    }
}
