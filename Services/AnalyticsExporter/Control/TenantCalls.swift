internal import ExporterOperations
internal import ExporterSupport
internal import Logging
internal import Models
internal import ServiceKit
internal import ZeroMQ

/// `tenant.add`, `tenant.list`, `tenant.remove` on the control socket.
struct TenantCalls: Sendable {
    /// How long `tenant.add` waits for the router; less than a client waits, since its answer has secrets that are told once.
    static let patience = Duration.seconds(8)

    let changes: ChangeQueue
    let logger: Logger
    var patience = TenantCalls.patience

    var all: [ControlCall] {
        [
            ControlCall("tenant.add", wrapped(add)), ControlCall("tenant.list", wrapped(list)),
            ControlCall("tenant.remove", wrapped(remove)),
        ]
    }

    /// `{name, plmns and scopes | regulator, original_ids?, contact?}` → the tenant with its first contact's token and, once the router
    /// has bound them, its endpoints; with its CURVE keys, unless they speak clear text.
    func add(_ arguments: JSONValue) async throws -> JSONValue {
        let new = try NewTenant(
            name: arguments.text("name"), plmns: arguments.texts("plmns"), scopes: arguments.texts("scopes"),
            isRegulator: arguments.flag("regulator"),
            showsOriginalIDs: arguments.flag("original_ids"))
        let contact = ContactDocument(
            tenant: new.name, name: try arguments.optionalText("contact") ?? "manager", role: .manager)
        let keys = try CurveKeyPair.generate()
        let token = Secret.text()
        let tenant = try await changes.submit { db, now in
            try TenantChanges.add(
                new, contact, clientPublicKey: keys.publicKey, token: SecretDigest(of: token), now: now, db)
        }
        logger.notice(
            "tenant added",
            metadata: [
                "tenant": "\(tenant.name)", "plmns": "\(tenant.plmns.joined(separator: ","))",
                "regulator": "\(tenant.isRegulator)", "original_ids": "\(tenant.showsOriginalIDs)",
            ])
        let endpoint = await changes.endpoint(of: tenant.name, within: patience)
        var answer = Self.document(tenant, endpoint)
        answer["contact"] = .string(contact.name)
        answer["token"] = .string(token)
        if endpoint?.curve != false { answer["client_secret_key"] = .string(keys.secretKey) }
        if endpoint == nil {
            answer["note"] = .string(
                "the tenant is stored; the alert router has not bound its endpoints yet (does it run?):"
                    + " tenant list shows them when it has")
        }
        return .object(answer)
    }

    /// All tenants there ever were.
    func list(_ arguments: JSONValue) async throws -> JSONValue {
        let tenants = try await changes.read { try TenantStore.all($0) }
        var builtIn = Self.document(changes.directory.endpoint(of: Regulator.tenant))
        builtIn.merge([
            "tenant": .string(Regulator.tenant), "number": 0, "plmns": [], "scopes": [], "regulator": true,
            "original_ids": true,
        ]) { $1 }
        return .array(
            [.object(builtIn)] + tenants.map { .object(Self.document($0, changes.directory.endpoint(of: $0.name))) })
    }

    /// `{name}` → the tenant; its contacts are revoked, its endpoints go, its name and number never come again.
    func remove(_ arguments: JSONValue) async throws -> JSONValue {
        let name = try arguments.text("name")
        guard name != Regulator.tenant else { throw ControlError.refused("tenant \(name) is built in") }
        let tenant = try await changes.submit { db, now in try TenantChanges.remove(name, now: now, db) }
        logger.notice("tenant removed", metadata: ["tenant": "\(name)"])
        return .object(Self.document(tenant, nil))
    }

    private static func document(_ tenant: StoredTenant, _ endpoint: EndpointDocument?) -> [String: JSONValue] {
        let ofTenant: [String: JSONValue] = [
            "tenant": .string(tenant.name), "number": .integer(tenant.number),
            "plmns": .array(tenant.plmns.map { .string($0) }), "scopes": .array(tenant.scopes.map { .string($0) }),
            "regulator": .bool(tenant.isRegulator),
            "original_ids": .bool(tenant.showsOriginalIDs), "created_at_ms": .integer(tenant.createdAt),
            "removed_at_ms": tenant.removedAt.map { .integer($0) } ?? .null,
        ]
        let key: [String: JSONValue] =
            endpoint?.curve == false ? [:] : ["client_public_key": .string(tenant.clientPublicKey)]
        return document(endpoint).merging(ofTenant) { $1 }.merging(key) { $1 }
    }

    /// Keys that an endpoint in clear text has no use for are left out.
    private static func document(_ endpoint: EndpointDocument?) -> [String: JSONValue] {
        guard let endpoint else { return ["bound": false] }
        let key: [String: JSONValue] = endpoint.curve ? ["server_public_key": .string(endpoint.serverPublicKey)] : [:]
        return [
            "bound": true, "curve": .bool(endpoint.curve), "alerts_pub": .string(endpoint.alertsPub),
            "alerts_replay": .string(endpoint.alertsReplay),
        ].merging(key) { $1 }
    }
}
