package import ExporterOperations
package import ExporterStores
package import ExporterSupport
internal import Hummingbird
internal import Models
internal import NIOCore
package import ServiceKit

/// What contacts do to alarms: `POST /v1/alarms/{id}/{act}`, `GET /v1/tasks/{id}`, `GET /v1/alarms/{id}/history`.
///
/// The exporter has authenticated the contact and checked the form; the router decides. So a call is answered 202 with a task that
/// is `pending`, unless it is to wait for the decision (`?wait=2`, seconds).
package struct AlarmCommandService: Sendable {
    /// Seconds that a call may wait for the router.
    static let waits = 0...10

    let state: StateReaders
    let changes: ChangeQueue
    let gate: Gate
    /// Rings when the router has decided.
    let decided: ChangeBroadcast
    let clock: WallClock

    package init(state: StateReaders, changes: ChangeQueue, gate: Gate, decided: ChangeBroadcast, clock: WallClock) {
        self.state = state
        self.changes = changes
        self.gate = gate
        self.decided = decided
        self.clock = clock
    }

    /// Acts by the words of paths.
    static let acts = Dictionary(uniqueKeysWithValues: AlarmCommand.Act.ofContacts.map { ($0.word, $0) })

    /// `POST /v1/alarms/{id}/{act}`.
    func act(_ act: AlarmCommand.Act, on alarm: String, _ request: Request, by caller: Caller) async throws -> Response
    {
        try gate.checkWrite(caller, request)
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: ["wait"])
        let wait = try parameters.integer("wait", in: Self.waits) ?? 0
        let members = try await AlarmCommandBody(request, for: act, now: clock.now())
        let task = try await submit(
            members.command(act, on: alarm, task: Secret.identifier(), by: caller, at: clock.now()), by: caller)
        return try response(await self.decided(task, within: .seconds(wait)), isNew: true)
    }

    /// The same for programs on this machine.
    ///
    /// - Parameter word: of ``acts``.
    /// - Returns: the task.
    /// - Throws: `ControlError` that names what is wrong.
    package func act(
        _ word: String, on alarm: String, members: JSONValue, by caller: Caller, within time: Duration
    ) async throws -> JSONValue {
        guard let act = Self.acts[word] else {
            let words = Self.acts.keys.sorted().joined(separator: ", ")
            throw ControlError.argument("act", "is \"\(word)\"; expected one of \(words)")
        }
        let body: AlarmCommandBody
        do {
            body = try AlarmCommandBody(try SortedJSON.bytes(of: members), for: act, now: clock.now())
        } catch let error as ExporterAPIError {
            throw ControlError(code: ControlError.badArgument, message: error.detail, field: error.field)
        }
        let task = try await submit(
            body.command(act, on: alarm, task: Secret.identifier(), by: caller, at: clock.now()), by: caller)
        return try JSONValue(encoding: AlarmTaskDocument(await decided(task, within: time)))
    }

    /// Hands a command to the router.
    ///
    /// - Throws: ``ExporterAPIError`` if the caller does not see the alarm, or offers it to nobody.
    func submit(_ command: AlarmCommand, by caller: Caller) async throws -> AlarmTask {
        try await changes.submit { db, _ in
            guard try AlarmStore.document(of: command.alarm, caller.tenant, db) != nil else {
                throw Refused.unknownAlarm
            }
            if let to = command.to, try !ContactStore.mayWrite(to, of: caller.tenant, db) {
                throw Refused.unknownContact(to)
            }
            if let parent = command.parent, try AlarmStore.document(of: parent, caller.tenant, db) == nil {
                throw Refused.unknownParent(parent)
            }
            let task = AlarmTask(command: command, state: .pending)
            try AlarmTaskStore.add(task, db)
            return (task, [try OperationRecord(.alarmCommand, key: command.task, command)])
        }
    }

    /// The task once it is decided, or as it is when the time is over.
    func decided(_ task: AlarmTask, within time: Duration) async throws -> AlarmTask {
        guard time > .zero else { return task }
        let id = task.command.task, tenant = task.command.tenant
        return try await decided.first(within: time) { [state] in
            let now = try await state.read { try AlarmTaskStore.task(id, of: tenant, $0) }
            return now?.state == .pending ? nil : now
        } ?? task
    }

    /// `GET /v1/tasks/{id}`.
    func task(_ id: String, of caller: Caller) async throws -> Response {
        guard let task = try await state.read({ try AlarmTaskStore.task(id, of: caller.tenant.name, $0) }) else {
            throw ExporterAPIError.notFound
        }
        return try response(task, isNew: false)
    }

    /// `GET /v1/alarms/{id}/history`: what it was from when on, and who did what.
    func history(of alarm: String, by caller: Caller) async throws -> Response {
        guard let history = try await history(of: alarm, caller.tenant) else { throw ExporterAPIError.notFound }
        return try Self.json(history, status: .ok)
    }

    /// The alarms that a tenant sees and a filter means, all of them.
    package func alarms(_ filter: AlarmFilter, of tenant: Tenant) async throws -> [[UInt8]] {
        try await state.read { try AlarmStore.page(filter, after: "", limit: Int(Int32.max), tenant, $0).documents }
    }

    /// The document of an alarm; nil if the tenant does not see it.
    package func alarm(_ id: String, of tenant: Tenant) async throws -> [UInt8]? {
        try await state.read { try AlarmStore.document(of: id, tenant, $0) }
    }

    /// The history of an alarm; nil if the tenant does not see it.
    package func history(of alarm: String, _ tenant: Tenant) async throws -> JSONValue? {
        let found = try await state.read { db -> ([AlarmMoment], [AlarmTask], [DeliveryDocument])? in
            guard try AlarmStore.document(of: alarm, tenant, db) != nil else { return nil }
            return (
                try AlarmHandlingStore.history(of: alarm, db),
                try AlarmTaskStore.tasks(about: alarm, of: tenant.name, db),
                try DeliveryStore.deliveries(about: alarm, of: tenant.name, db)
            )
        }
        return try found.map { try JSONValue(encoding: AlarmHistoryDocument(alarm, $0, $1, $2)) }
    }

    private func response(_ task: AlarmTask, isNew: Bool) throws -> Response {
        let document = AlarmTaskDocument(task)
        var response = try Self.json(document, status: isNew && task.state == .pending ? .accepted : .ok)
        if isNew { response.headers[.location] = document.href }
        return response
    }

    private static func json(_ document: some Encodable, status: HTTPResponse.Status) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: document))))
    }

    /// Why a command is not handed on.
    enum Refused {
        static let unknownAlarm = ControlError.notFound("there is no such alarm")

        static func unknownParent(_ alarm: String) -> ControlError {
            .argument("parent", "is \"\(alarm)\"; expected an alarm of your list")
        }

        static func unknownContact(_ name: String) -> ControlError {
            .argument("to", "is \"\(name)\"; expected a contact of yours that may do more than look")
        }
    }
}

extension AlarmCommand.Act {
    /// In paths and documents.
    fileprivate var word: String {
        switch self {
        case .offer: "handover"
        case .rate: "usefulness"
        default: rawValue
        }
    }
}

/// A task as its tenant sees it.
struct AlarmTaskDocument: Encodable {
    let id, href, alarm, act, state, contact: String
    let created: String
    let decided: String?
    /// Why it failed: a word for programs, and a sentence.
    let code, reason: String?
    /// `handlingVersion` of the alarm afterwards.
    let version: Int64?
    let to, parent, text, until: String?
    let useful: Bool?

    init(_ task: AlarmTask) {
        let command = task.command
        (id, href, alarm) = (command.task, "/v1/tasks/\(command.task)", command.alarm)
        act = command.act.word
        (state, contact) = (task.state.rawValue, command.contact)
        created = Timestamp.text(command.at)
        decided = task.decidedAt.map(Timestamp.text)
        (code, reason, version) = (task.code, task.reason, task.version)
        (to, parent, text, useful) = (command.to, command.parent, command.text, command.isUseful)
        until = command.until.map(Timestamp.text)
    }
}

/// `GET /v1/alarms/{id}/history`.
struct AlarmHistoryDocument: Encodable {
    /// How the alarm was from a moment on.
    struct Moment: Encodable {
        let at, severity, state: String
    }

    let id: String
    let states: [Moment]
    let acts: [AlarmTaskDocument]
    /// What the tenant's own channels were told, or could not be.
    let deliveries: [Told]

    /// A delivery of a channel.
    struct Told: Encodable {
        let id, channel, transition, state, at: String
        /// Why the last try failed.
        let reason: String?

        init(_ delivery: DeliveryDocument) {
            (id, channel, transition) = (delivery.id, delivery.channel, delivery.transition)
            (state, at) = (delivery.state.rawValue, Timestamp.text(delivery.changedAt))
            reason = delivery.reason.isEmpty ? nil : delivery.reason
        }
    }

    init(_ alarm: String, _ moments: [AlarmMoment], _ tasks: [AlarmTask], _ deliveries: [DeliveryDocument]) {
        id = alarm
        states = moments.map { Moment(at: Timestamp.text($0.at), severity: $0.severity, state: $0.state) }
        acts = tasks.map(AlarmTaskDocument.init)
        self.deliveries = deliveries.map(Told.init)
    }
}
