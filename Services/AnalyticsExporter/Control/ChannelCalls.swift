internal import Channels
internal import ExporterAPI
internal import ExporterOperations
internal import ExporterSupport
internal import Logging
internal import Models
internal import OnCall
internal import ServiceKit

/// `channel.*` on the control socket: `set`, `list`, `remove`. Secrets come sealed to the notifier's key and are not shown.
struct ChannelCalls: Sendable {
    let changes: ChangeQueue
    /// Where channels may be told.
    let policy: AddressPolicy
    let logger: Logger

    var all: [ControlCall] {
        [
            ControlCall("channel.set", wrapped { try await set($0) }),
            ControlCall("channel.list", wrapped { _ in try await list() }),
            ControlCall("channel.remove", wrapped { try await remove(DocumentCalls.id($0)) }),
        ]
    }

    /// `{id, document}`: a channel, compiled as the notifier will compile it, of a tenant that is there.
    private func set(_ arguments: JSONValue) async throws -> JSONValue {
        let id = try DocumentCalls.id(arguments)
        guard let document = arguments["document"], document.object != nil else {
            throw ControlError.argument("document", "is not a JSON object")
        }
        let channel: Channel
        do { channel = try Channel(compiling: document, id: id, policy) } catch { throw ControlError(error) }
        let missing = try await changes.submit { db, _ in
            if channel.tenant != "regulator", try TenantStore.find(channel.tenant, db) == nil {
                return (Missing.tenant, [])
            }
            if let contact = channel.contact,
                try !ContactStore.mayWrite(contact, ofNumber: TenantStore.number(of: channel.tenant, db), db)
            {
                return (.contact, [])
            }
            let record = try OperationRecord(.channel, key: id, document)
            try DocumentStore.put(record, db)
            return (.nothing, [record])
        }
        guard missing != .contact else {
            throw ControlError.argument(
                "document.contact", "is \"\(channel.contact ?? "")\"; expected a contact of \(channel.tenant)")
        }
        guard missing == .nothing else {
            throw ControlError.argument(
                "document.tenant", "is \"\(channel.tenant)\"; expected a tenant, or regulator")
        }
        logger.notice("channel set", metadata: ["id": "\(id)", "kind": "\(channel.kind.word)"])
        return Self.shown(id, document)
    }

    /// What a document names that is not there.
    private enum Missing { case nothing, tenant, contact }

    private func list() async throws -> JSONValue {
        let stored = try await changes.read { db in
            try DocumentStore.all(of: .channel, db).map { (id: $0.key, bytes: $0.document) }
        }
        return .array(try stored.map { Self.shown($0.id, try JSONValue(bytes: $0.bytes)) })
    }

    private func remove(_ id: String) async throws -> JSONValue {
        try await changes.submit { db, _ in
            guard let bytes = try DocumentStore.all(of: .channel, db).first(where: { $0.key == id })?.document else {
                throw ControlError.notFound("there is no channel \"\(id)\"")
            }
            let tenant = try JSONValue(bytes: bytes)["tenant"]?.string ?? ""
            if let user = try OnCallReferences.escalation(naming: .channel(id), of: tenant, db) {
                throw ControlError.refused("escalation \(user) of \(tenant) names channel \(id)")
            }
            try DocumentStore.remove(id, of: .channel, db)
            return ((), [OperationRecord(removed: id, of: .channel)])
        }
        logger.notice("channel removed", metadata: ["id": "\(id)"])
        return ["id": .string(id), "removed": true]
    }

    /// The document with its id, and instead of the sealed secrets that there are some.
    private static func shown(_ id: String, _ document: JSONValue) -> JSONValue {
        var members = document.object ?? [:]
        let hasSecrets = members.removeValue(forKey: "sealed") != nil
        members["id"] = .string(id)
        members["has_secrets"] = .bool(hasSecrets)
        return .object(members)
    }
}
