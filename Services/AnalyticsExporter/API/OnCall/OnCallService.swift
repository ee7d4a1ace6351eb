internal import Channels
package import ExporterOperations
package import ExporterSupport
internal import GRDB
internal import Hummingbird
package import Logging
internal import Models
internal import NIOCore
internal import OnCall
package import ServiceKit

/// Schedules, escalations and planned work of tenants: `/v1/schedules`, `/v1/escalations`, `/v1/maintenance`, and what `nkul admin` asks
/// of them. All of it is set by one function, so that both are checked alike.
package struct OnCallService: Sendable {
    static let mostBytes = 65_536
    /// Documents of a kind that a tenant may have.
    static let most = 200

    let changes: ChangeQueue
    let state: StateReaders
    let gate: Gate
    let clock: WallClock
    let logger: Logger

    package init(changes: ChangeQueue, state: StateReaders, gate: Gate, clock: WallClock, logger: Logger) {
        self.changes = changes
        self.state = state
        self.gate = gate
        self.clock = clock
        self.logger = logger
    }

    func list(_ kind: OnCallKind, of caller: Caller) async throws -> Response {
        try Self.json(try await list(kind, of: caller.tenant.name))
    }

    func one(_ kind: OnCallKind, _ id: String, of caller: Caller) async throws -> Response {
        try Self.json(try await show(kind, id, of: caller.tenant.name))
    }

    func put(_ kind: OnCallKind, _ id: String, _ request: Request, by caller: Caller) async throws -> Response {
        try gate.checkManager(caller, request)
        guard OnCallKind.isName(id) else { throw ExporterAPIError.notFound }
        let body: ByteBuffer
        do { body = try await request.body.collect(upTo: Self.mostBytes) } catch is NIOTooManyBytesError {
            throw ExporterAPIError(.contentTooLarge, "too_large", "a document has at most \(Self.mostBytes) bytes")
        }
        guard let document = try? JSONValue(bytes: Array(body.readableBytesView)), document.object != nil else {
            throw ExporterAPIError(.badRequest, "invalid_body", "expected a JSON object")
        }
        return try Self.json(try await set(kind, id, document, of: caller.tenant.name, by: caller))
    }

    func delete(_ kind: OnCallKind, _ id: String, _ request: Request, by caller: Caller) async throws -> Response {
        try gate.checkManager(caller, request)
        try await remove(kind, id, of: caller.tenant.name, by: caller)
        return Response(status: .noContent)
    }

    func check(_ kind: OnCallKind, _ id: String, _ request: Request, of caller: Caller) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: ["days"])
        let days = try parameters.integer("days", in: OnCallCheck.days) ?? OnCallCheck.usualDays
        return try Self.json(try await check(kind, id, of: caller.tenant.name, days: Int64(days)))
    }

    private static func json(_ value: JSONValue) throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: Array((value.text + "\n").utf8))))
    }
}

/// What the API and `nkul admin` have in common. Tenants are named; whoever calls has seen to it that they may.
extension OnCallService {
    /// Sets a document of a tenant, or puts another in its place.
    ///
    /// - Returns: the document with its id.
    /// - Throws: `DocumentRefusal` that names what is wrong; then nothing has changed.
    package func set(
        _ kind: OnCallKind, _ id: String, _ document: JSONValue, of tenant: String, by caller: Caller?
    ) async throws -> JSONValue {
        let (document, references) = try kind.compiled(document, id: id, of: tenant)
        if let end = references.endsAt, end <= clock.now() {
            throw DocumentRefusal("to", "is over", allowed: "a time after now")
        }
        try await changes.submit { db, now in
            try references.check(of: tenant, db)
            let key = "\(tenant)/\(id)"
            if try !DocumentStore.contains(key, of: kind.record, db) {
                try DocumentStore.checkCount(of: tenant, kind.record, most: Self.most, db)
            }
            let record = try OperationRecord(kind.record, key: key, document)
            try DocumentStore.put(record, of: tenant, db)
            return ((), [record] + (try ContactActs.records("\(kind.rawValue).set", id, by: caller, now: now, db)))
        }
        log("\(kind.rawValue) set", id, tenant, caller)
        return Self.shown(id, document)
    }

    package func list(_ kind: OnCallKind, of tenant: String?) async throws -> JSONValue {
        let stored = try await state.read { db in
            try DocumentStore.all(of: kind.record, ownedBy: tenant, db).map { (key: $0.key, bytes: $0.document) }
        }
        return .array(
            try stored.map { key, bytes in
                Self.shown(String(key.drop { $0 != "/" }.dropFirst()), try JSONValue(bytes: bytes))
            })
    }

    package func show(_ kind: OnCallKind, _ id: String, of tenant: String) async throws -> JSONValue {
        let all = try await list(kind, of: tenant).array ?? []
        guard let found = all.first(where: { $0["id"]?.string == id }) else { throw kind.unknown(id, tenant) }
        return found
    }

    /// - Throws: `ControlError` `refused` if an escalation names it.
    package func remove(_ kind: OnCallKind, _ id: String, of tenant: String, by caller: Caller?) async throws {
        try await changes.submit { db, now in
            let key = "\(tenant)/\(id)"
            guard try DocumentStore.contains(key, of: kind.record, db) else { throw kind.unknown(id, tenant) }
            if kind == .schedule, let user = try OnCallReferences.escalation(naming: .schedule(id), of: tenant, db) {
                throw ControlError.refused("escalation \(user) names schedule \(id)")
            }
            try DocumentStore.remove(key, of: kind.record, db)
            let act = try ContactActs.records("\(kind.rawValue).removed", id, by: caller, now: now, db)
            return ((), [OperationRecord(removed: key, of: kind.record)] + act)
        }
        log("\(kind.rawValue) removed", id, tenant, caller)
    }

    private func log(_ what: String, _ id: String, _ tenant: String, _ caller: Caller?) {
        logger.notice(
            "\(what)",
            metadata: ["tenant": "\(tenant)", "id": "\(id)", "contact": "\(caller?.contact ?? "nkul admin")"])
    }

    /// What a document comes to: who is on call now and on the next days, whom an escalation calls when, when planned work is.
    package func check(_ kind: OnCallKind, _ id: String, of tenant: String, days: Int64) async throws -> JSONValue {
        let now = clock.now()
        let (document, schedules) = try await state.read { db in
            (
                try DocumentStore.document("\(tenant)/\(id)", of: kind.record, db),
                try DocumentStore.all(of: .schedule, ownedBy: tenant, db)
            )
        }
        guard let document else { throw kind.unknown(id, tenant) }
        return try OnCallCheck(now: now, days: days, schedules: schedules, tenant: tenant)
            .answer(kind, id, try JSONValue(bytes: document))
    }

    private static func shown(_ id: String, _ document: JSONValue) -> JSONValue {
        .object((document.object ?? [:]).merging(["id": .string(id)]) { $1 })
    }
}
