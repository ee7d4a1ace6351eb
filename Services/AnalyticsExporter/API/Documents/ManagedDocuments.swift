package import Channels
internal import Crypto
internal import ExporterOperations
internal import ExporterStores
package import ExporterSupport
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit

/// `/v1/rules`, `/v1/channels` and `/v1/contact/push`: what managers set for their tenant, and contacts for themselves.
package struct ManagedDocuments: Sendable {
    static let mostBytes = 65_536

    package let rules: DocumentService
    package let channels: DocumentService
    /// Where channels may be told.
    let policy: AddressPolicy
    let gate: Gate

    package init(rules: DocumentService, channels: DocumentService, policy: AddressPolicy, gate: Gate) {
        self.rules = rules
        self.channels = channels
        self.policy = policy
        self.gate = gate
    }

    /// `GET /v1/rules`, `GET /v1/channels`.
    func list(_ documents: DocumentService, _ request: Request, of caller: Caller) async throws -> Response {
        try gate.checkManager(caller, request)
        let name = documents.kind == .rule ? "rules" : "channels"
        return Self.json([name: .array(try await documents.list(.init(caller.tenant)))])
    }

    /// `GET /v1/rules/{id}` and the like.
    func one(_ id: String, _ documents: DocumentService, _ request: Request, of caller: Caller) async throws -> Response
    {
        try gate.checkManager(caller, request)
        return Self.json(try await documents.one(id, .init(caller.tenant)))
    }

    /// `DELETE /v1/rules/{id}` and the like.
    func remove(_ id: String, _ documents: DocumentService, _ request: Request, by caller: Caller) async throws
        -> Response
    {
        try gate.checkManager(caller, request)
        try await documents.remove(id, .init(caller.tenant), by: caller)
        return Response(status: .noContent)
    }

    /// `PUT /v1/rules/{id}`.
    func putRule(_ id: String, _ request: Request, by caller: Caller) async throws -> Response {
        try gate.checkManager(caller, request)
        let set = try await rules.set(id, Self.object(request), .init(caller.tenant), by: caller)
        return Self.json(set.shown, status: set.isNew ? .created : .ok)
    }

    /// `PUT /v1/channels/{id}`. Secrets that come in clear are sealed at once; the tenant is the caller's unless a regulator names another.
    func putChannel(_ id: String, _ request: Request, by caller: Caller) async throws -> Response {
        try gate.checkManager(caller, request)
        var members = try await Self.object(request).object ?? [:]
        if members["tenant"] == nil { members["tenant"] = .string(caller.tenant.name) }
        // A contact's mailbox and telephone are where its one-time codes go.
        if let contact = members["contact"]?.string, contact != caller.contact,
            ["email", "sms"].contains(members["kind"]?.string)
        {
            throw DocumentRefusal(
                "contact", "is \"\(contact.prefix(64))\"",
                allowed:
                    "your own name, \(caller.contact): others' are set by nkul admin, for they log in by what comes there"
            )
        }
        let document = try await sealed(.object(members), id)
        let set = try await channels.set(id, document, .init(caller.tenant), by: caller)
        return Self.json(set.shown, status: set.isNew ? .created : .ok)
    }

    /// A channel of the caller's tenant for a listener of TMF642.
    func addListener(_ id: String, _ document: JSONValue, of caller: Caller) async throws {
        _ = try await notifierKey()
        _ = try await channels.set(id, document, .tenant(caller.tenant), by: caller)
    }

    /// A document whose secrets only the notifier can read.
    private func sealed(_ document: JSONValue, _ id: String) async throws -> JSONValue {
        guard document["secrets"] != nil else { return document }
        return try ChannelSealing.seal(document, id: id, to: try await notifierKey(), policy)
    }

    /// - Throws: ``ExporterAPIError`` 503 if the home has had no notifier.
    private func notifierKey() async throws -> ChannelKeyDocument {
        guard let key = try await channels.state.read({ try NotifierKeyStore.current($0) }) else {
            throw ExporterAPIError(
                .serviceUnavailable, "no_notifier",
                "no notifier has run in this home: NKUL_NOTIFIER=1 starts one, which channels are told by",
                headers: [.retryAfter: "60"])
        }
        return key
    }

    /// The object that a body is.
    ///
    /// - Throws: ``ExporterAPIError`` `too_large`, `invalid_body`.
    static func object(_ request: Request, most: Int = mostBytes) async throws -> JSONValue {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: most)
        } catch is NIOTooManyBytesError {
            throw ExporterAPIError(.contentTooLarge, "too_large", "expected at most \(most) bytes")
        }
        guard let value = try? JSONValue(bytes: Array(body.readableBytesView)), value.object != nil else {
            throw ExporterAPIError(.badRequest, "invalid_body", "expected a JSON object")
        }
        return value
    }

    private static func json(_ document: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: document.text)))
    }
}

/// A contact's own browser (RFC 8030): a channel of the tenant that goes when the contact does.
extension ManagedDocuments {
    /// `GET /v1/contact/push`: the key by which browsers know this home, and whether the contact has subscribed.
    func push(of caller: Caller) async throws -> Response {
        let key = try await notifierKey(), id = ContactPush.id(caller.tenant.name, caller.contact)
        let found = try await channels.list(.tenant(caller.tenant)).contains { $0["id"]?.string == id }
        return Self.json(["vapid_key": .string(key.vapidKey), "channel": found ? .string(id) : .null])
    }

    /// `PUT /v1/contact/push`: a browser's subscription, as its `toJSON()` gives it, and maybe `filter` and `tells` as channels have them.
    func putPush(_ request: Request, by caller: Caller) async throws -> Response {
        try gate.checkWrite(caller, request, ofItself: true)
        let body = try await Self.object(request), members = body.object ?? [:]
        let known = ["endpoint", "expirationTime", "filter", "keys", "tells"]
        if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw DocumentRefusal([
                DocumentProblem(other, "is unknown", allowed: "one of " + known.joined(separator: ", "))
            ])
        }
        var secrets = body["keys"]?.object ?? [:]
        secrets["endpoint"] = body["endpoint"]
        var document: [String: JSONValue] = [
            "kind": "webpush", "tenant": .string(caller.tenant.name), "secrets": .object(secrets),
        ]
        document["filter"] = body["filter"]
        document["tells"] = body["tells"] ?? "all"
        // Who may do something about alarms is called by escalations, too.
        if caller.role.mayWrite { document["contact"] = .string(caller.contact) }
        let id = ContactPush.id(caller.tenant.name, caller.contact)
        let set = try await channels.set(
            id, sealed(.object(document), id), .tenant(caller.tenant), by: caller)
        return Self.json(["channel": .string(id)], status: set.isNew ? .created : .ok)
    }

    /// `DELETE /v1/contact/push`.
    func removePush(_ request: Request, by caller: Caller) async throws -> Response {
        try gate.checkWrite(caller, request, ofItself: true)
        let id = ContactPush.id(caller.tenant.name, caller.contact)
        try await channels.remove(id, .tenant(caller.tenant), by: caller)
        return Response(status: .noContent)
    }
}
