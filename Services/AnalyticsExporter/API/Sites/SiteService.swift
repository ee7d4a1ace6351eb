internal import Alarms
internal import Crypto
internal import ExporterOperations
internal import ExporterStores
package import ExporterSupport
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import NIOCore
package import ServiceKit

/// `GET` and `PUT` of `/v1/sites`, `/v1/sensors`, `/v1/doors`, `/v1/keys`, and what contacts have them do: `open`, `arm`, `disarm`.
///
/// A command becomes a task, which the router decides; a door's is done when its device has said so.
package struct SiteService: Sendable {
    /// Seconds that a call may wait for the end of its task.
    static let waits = 0...10
    static let mostBytes = 16_384
    /// Characters of an `Idempotency-Key`.
    static let keys = 1...128
    /// How long a person's press of a button may have been under way, and how far ahead a phone's clock may be.
    static let ahead: UnixMilliseconds = 60_000

    package let documents: SiteDocuments
    let gate: Gate
    /// Rings when the router has decided.
    let decided: ChangeBroadcast
    let clock: WallClock

    package init(documents: SiteDocuments, gate: Gate, decided: ChangeBroadcast, clock: WallClock) {
        self.documents = documents
        self.gate = gate
        self.decided = decided
        self.clock = clock
    }

    /// `GET /v1/sites` and so on.
    func list(_ kind: SiteKind, of caller: Caller) async throws -> Response {
        return try Self.json(.object([kind.path: .array(try await documents.list(kind, of: caller.tenant))]))
    }

    func one(_ kind: SiteKind, _ id: String, of caller: Caller) async throws -> Response {
        guard let document = try await documents.one(kind, id, of: caller.tenant) else {
            throw ExporterAPIError.notFound
        }
        return try Self.json(document)
    }

    /// `PUT /v1/sites/{id}` and so on, for managers.
    func put(_ kind: SiteKind, _ id: String, _ request: Request, by caller: Caller) async throws -> Response {
        try gate.checkWrite(caller, request)
        guard caller.role == .manager else {
            throw ExporterAPIError(.forbidden, "role", "only a manager sets \(kind.path)")
        }
        let body = try await body(request)
        return try Self.json(try await documents.put(kind, id, .object(body), by: caller.tenant, caller.contact))
    }

    /// `POST /v1/doors/{id}/open`, `/v1/sensors/{id}/arm`, `/v1/sites/{id}/disarm` and so on.
    ///
    /// A door is opened by whoever has a key for it; what is armed, by whoever may do more than look.
    func act(
        _ act: SiteCommand.Act, _ target: SiteCommand.Target, _ name: String, _ request: Request, by caller: Caller
    ) async throws -> Response {
        try gate.checkWrite(caller, request, ofItself: act == .open)
        guard let kind = SiteKind(rawValue: target.rawValue), let id = try? kind.number(name),
            let document = try await documents.one(kind, "\(id)", of: caller.tenant)
        else { throw ExporterAPIError.notFound }
        let wait =
            try QueryParameters(
                request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: ["wait"]
            ).integer("wait", in: Self.waits) ?? 0
        let key = try Self.key(request, isNeeded: act == .open), body = try await body(request), now = clock.now()
        let known = act == .open ? ["pressed_at_ms"] : ["code", "pressed_at_ms"]
        if let other = body.keys.sorted().first(where: { !known.contains($0) }) {
            throw Self.fault(other, "no such member; allowed: \(known.joined(separator: ", "))")
        }
        try Self.checkPress(body["pressed_at_ms"], now)
        if let code = body["code"], code.string.map({ (1...16).contains($0.utf8.count) }) != true {
            throw Self.fault("code", "expected 1…16 characters, as text")
        }
        let task = try await submit(
            SiteCommand(
                task: Self.task(act, target, id, key, caller), act: act, target: target, id: id,
                tenant: caller.tenant.name, contact: caller.contact, at: now), code: body["code"]?.string,
            site: kind == .site ? id : document["site"]?.integer ?? 0)
        return try response(try await self.decided(task, within: .seconds(wait)), isNew: true)
    }

    /// `GET /v1/tasks/{id}` of a task that is none of an alarm's; nil if there is none.
    func task(_ id: String, of caller: Caller) async throws -> Response? {
        try await documents.state.read { try SiteTaskStore.task(id, of: caller.tenant.name, $0) }
            .map { try response($0, isNew: false) }
    }

    /// Hands a command to the router, once: whoever asks again with the same `Idempotency-Key` is told of the same task.
    private func submit(_ command: SiteCommand, code: String?, site: Int64) async throws -> SiteTask {
        try await documents.changes.submit { db, _ in
            if let known = try SiteTaskStore.task(command.task, of: command.tenant, db) { return (known, []) }
            var command = command
            if let code, let stored = try DocumentStore.document("\(site)", of: .site, db) {
                let salt = try JSONDecoder().decode(SiteDocument.self, from: Data(stored)).code?.salt ?? ""
                command.code = SiteDocuments.digest(code, salt: salt)
            }
            let task = SiteTask(command: command, state: .pending)
            try SiteTaskStore.add(task, db)
            return (task, [try OperationRecord(.siteCommand, key: command.task, command)])
        }
    }

    private func decided(_ task: SiteTask, within time: Duration) async throws -> SiteTask {
        guard time > .zero, task.state == .pending else { return task }
        let id = task.command.task, tenant = task.command.tenant
        return try await decided.first(within: time) { [state = documents.state] in
            let now = try await state.read { try SiteTaskStore.task(id, of: tenant, $0) }
            return now?.state == .pending ? nil : now
        } ?? task
    }

    // MARK: - Requests and answers

    /// Names the task: the same for the same contact, target and key, also in a home that was restored, so that a device knows
    /// what it has carried out.
    private static func task(
        _ act: SiteCommand.Act, _ target: SiteCommand.Target, _ id: Int64, _ key: String?, _ caller: Caller
    ) -> String {
        guard let key else { return Secret.identifier() }
        let name = "\(caller.tenant.name)/\(caller.contact)/\(act.rawValue)/\(target.rawValue)/\(id)/\(key)"
        return String(Hexadecimal.text(Array(SHA256.hash(data: Array(name.utf8)))).prefix(32))
    }

    private static func key(_ request: Request, isNeeded: Bool) throws(ExporterAPIError) -> String? {
        guard let name = HTTPField.Name("Idempotency-Key"), let key = request.headers[name] else {
            guard !isNeeded else {
                throw ExporterAPIError(
                    .unprocessableContent, "missing_idempotency_key",
                    "Idempotency-Key: is needed, so that a repeated request opens nothing twice",
                    field: "Idempotency-Key")
            }
            return nil
        }
        guard keys.contains(key.utf8.count) else {
            throw ExporterAPIError(
                .unprocessableContent, "invalid_member",
                "Idempotency-Key: expected \(keys.lowerBound)…\(keys.upperBound) characters", field: "Idempotency-Key")
        }
        return key
    }

    /// A press that is older than a command lives is not carried out, however it came here.
    private static func checkPress(_ value: JSONValue?, _ now: UnixMilliseconds) throws(ExporterAPIError) {
        guard let value else { return }
        guard let at = value.integer, at > now - SiteCommand.life, at <= now + ahead else {
            throw fault("pressed_at_ms", "expected a time within the last \(SiteCommand.life / 1_000) seconds, Unix ms")
        }
    }

    private func body(_ request: Request) async throws -> [String: JSONValue] {
        let bytes: [UInt8]
        do {
            bytes = Array(try await request.body.collect(upTo: Self.mostBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ExporterAPIError(.contentTooLarge, "too_large", "it has at most \(Self.mostBytes) bytes")
        }
        if bytes.isEmpty { return [:] }
        guard let object = (try? JSONValue(bytes: bytes))?.object else {
            throw ExporterAPIError(.badRequest, "invalid_body", "expected a JSON object")
        }
        return object
    }

    private static func fault(_ member: String, _ detail: String) -> ExporterAPIError {
        ExporterAPIError(.unprocessableContent, "invalid_member", "\(member): \(detail)", field: member)
    }

    private func response(_ task: SiteTask, isNew: Bool) throws -> Response {
        let command = task.command
        var members: [String: JSONValue] = [
            "id": .string(command.task), "href": .string("/v1/tasks/\(command.task)"),
            "act": .string(command.act.rawValue), command.target.rawValue: .integer(command.id),
            "contact": .string(command.contact), "state": .string(task.state.rawValue),
            "created": .string(Timestamp.text(command.at)), "expires": .string(Timestamp.text(command.expiresAt)),
        ]
        members["decided"] = task.decidedAt.map { .string(Timestamp.text($0)) }
        members["code"] = task.code.map { .string($0) }
        members["reason"] = task.reason.map { .string($0) }
        members["result"] = task.result.map { .string($0) }
        var response = try Self.json(.object(members), status: isNew && task.state == .pending ? .accepted : .ok)
        if isNew { response.headers[.location] = "/v1/tasks/\(command.task)" }
        return response
    }

    private static func json(_ document: JSONValue, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: document))))
    }
}
