internal import ExporterStores
internal import ExporterSupport
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `alarm` of TM Forum TMF642 v4: the list, one, and what is changed of one.
struct TMFAlarmService: Sendable {
    /// For how long a change waits for the router.
    static let patience = Duration.seconds(2)

    let commands: AlarmCommandService

    /// `GET alarm`.
    func list(_ request: Request, of caller: Caller) async throws -> Response {
        let query = try TMFQuery(request, pages: true)
        let filter = try AlarmFilter(query.others)
        let (documents, count) = try await commands.state.read {
            try AlarmStore.page(filter, offset: query.offset, limit: query.limit, caller.tenant, $0)
        }
        return try query.response(documents, of: count)
    }

    /// `GET alarm/{id}`; foreign ones are not there.
    func one(_ id: String, _ request: Request, of caller: Caller) async throws -> Response {
        let query = try TMFQuery(request, pages: false)
        return TMFQuery.json(try query.shown(try await document(of: id, caller)))
    }

    /// `PATCH alarm/{id}`, JSON merge patch: comments first, then `ackState`, then the end. Each is carried out once the router has
    /// agreed; what it refuses, or does not decide in time, is 409, and nothing after it is tried.
    func patch(_ id: String, _ request: Request, by caller: Caller) async throws -> Response {
        try commands.gate.checkWrite(caller, request)
        let query = try TMFQuery(request, pages: false)
        let patch = try await TMFPatch(TMFBody(request))
        _ = try await document(of: id, caller)
        let deadline = ContinuousClock.now + Self.patience
        var version = patch.version
        var done: [String] = []
        for step in patch.steps {
            let now = commands.clock.now()
            let command = AlarmCommand(
                task: Secret.identifier(), alarm: id, act: step.act, tenant: caller.tenant.name,
                contact: caller.contact, system: step.system, at: now, version: version, text: step.text)
            let task = try await commands.decided(
                try await commands.submit(command, by: caller), within: deadline - ContinuousClock.now)
            let before = done.isEmpty ? "" : "; done before: \(done.joined(separator: ", "))"
            switch task.state {
            case .done: break
            case .pending:
                throw ExporterAPIError(
                    .conflict, "undecided",
                    "\(step.member): not decided within 2 s; /v1/tasks/\(command.task) tells what became of it\(before)",
                    field: step.member)
            case .failed:
                throw ExporterAPIError(
                    .conflict, task.code ?? "refused", "\(step.member): \(task.reason ?? "refused")\(before)",
                    field: step.member)
            }
            if version != nil { version = task.version ?? version }
            done.append(step.member)
        }
        return TMFQuery.json(try query.shown(try await document(of: id, caller)))
    }

    /// Alarms are raised by records and rules, and go by retention.
    func refuse() throws -> Response {
        throw ExporterAPIError(.forbidden, "not_by_hand", "alarms are neither created nor deleted by hand")
    }

    private func document(of id: String, _ caller: Caller) async throws -> [UInt8] {
        guard let document = try await commands.alarm(id, of: caller.tenant) else { throw ExporterAPIError.notFound }
        return document
    }
}

/// What a merge patch of an alarm asks for.
struct TMFPatch {
    struct Step {
        let member: String
        let act: AlarmCommand.Act
        let system: String?
        var text: String?
    }

    let version: Int64?
    private(set) var steps: [Step] = []

    /// - Throws: ``ExporterAPIError`` 400 that names what cannot be changed.
    init(_ body: TMFBody) throws(ExporterAPIError) {
        try body.check(known: [
            "ackState", "ackSystemId", "ackUserId", "comment", "state", "clearSystemId", "clearUserId",
            "handlingVersion",
        ])
        version = try body.version()
        for (names, needed) in [
            (["ackSystemId", "ackUserId"], "ackState"), (["clearSystemId", "clearUserId"], "state"),
        ] {
            for name in names where try body.text(name) != nil && body.members[needed] == nil {
                throw body.fault(name, "goes with \(needed) only")
            }
        }
        if let value = body.members["comment"] {
            let comments: [JSONValue] = value.object == nil ? value.array ?? [] : [value]
            guard (1...20).contains(comments.count) else {
                throw body.fault("comment", "expected 1…20 comments, which are added")
            }
            for (index, comment) in comments.enumerated() {
                guard let members = comment.object else { throw body.fault("comment[\(index)]", "expected an object") }
                let said = try TMFBody(members, in: "comment[\(index)].").comment()
                steps.append(Step(member: "comment[\(index)]", act: .comment, system: said.system, text: said.text))
            }
        }
        if let word = try body.choice("ackState", of: ["acknowledged", "unacknowledged"]) {
            steps.append(
                Step(
                    member: "ackState", act: word == "acknowledged" ? .acknowledge : .unacknowledge,
                    system: try body.text("ackSystemId")))
        }
        if try body.choice("state", of: ["cleared"]) != nil {
            steps.append(Step(member: "state", act: .clear, system: try body.text("clearSystemId")))
        }
    }
}
