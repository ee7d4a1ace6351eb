internal import ExporterOperations
internal import ExporterStores
internal import ExporterSupport
internal import Foundation
internal import Hummingbird
internal import Models
internal import ServiceKit

/// The tasks of TM Forum TMF642 v4, each of which does one thing to several alarms.
struct TMFTaskService: Sendable {
    /// Alarms that a task may mean.
    static let mostAlarms = 1_000

    let commands: AlarmCommandService

    /// `POST ackAlarms` and the like: 201 at once; `state` tells how far the router has come.
    func begin(_ kind: TMFTaskKind, _ request: Request, by caller: Caller) async throws -> Response {
        try commands.gate.checkWrite(caller, request)
        let query = try TMFQuery(request, pages: false)
        let body = try await TMFBody(request), filters = kind.isOfGroup ? [] : try body.patterns()
        let ordered = try TMFTaskOrder(kind, body, contact: caller.contact, at: commands.clock.now())
        let id = Secret.identifier(), document = try SortedJSON.bytes(of: ordered)
        let tasks = try await commands.changes.submit { db, _ in
            if let parent = ordered.parent, try AlarmStore.document(of: parent, caller.tenant, db) == nil {
                throw body.fault("parentAlarm.id", "\"\(parent)\": expected an alarm of your list")
            }
            let alarms =
                try ordered.alarms
                ?? AlarmStore.alarms(meantBy: filters, limit: Self.mostAlarms + 1, caller.tenant, db)
            guard alarms.count <= Self.mostAlarms else {
                throw body.fault("alarmPattern", "means more than \(Self.mostAlarms) alarms; name more attributes")
            }
            try TMFTaskStore.add(id, of: caller.tenant.name, kind: kind.rawValue, at: ordered.at, document, db)
            let tasks = alarms.enumerated().map { index, alarm in
                AlarmTask(
                    command: AlarmCommand(
                        task: TMFTaskStore.command(index + 1, of: id), alarm: alarm, act: kind.act,
                        tenant: caller.tenant.name, contact: caller.contact, system: ordered.system, at: ordered.at,
                        parent: ordered.parent, text: ordered.text), state: .pending)
            }
            for task in tasks { try AlarmTaskStore.add(task, db) }
            return (tasks, try tasks.map { try OperationRecord(.alarmCommand, key: $0.command.task, $0.command) })
        }
        var response = TMFQuery.json(try query.shown(ordered.shown(kind, id, tasks)), status: .created)
        response.headers[.location] = TMFTaskOrder.href(kind, id)
        return response
    }

    /// `GET ackAlarms` and the like: the tenant's, the latest first.
    func list(_ kind: TMFTaskKind, _ request: Request, of caller: Caller) async throws -> Response {
        let query = try TMFQuery(request, pages: true), now = commands.clock.now()
        let (tasks, count) = try await commands.state.read {
            try TMFTaskStore.tasks(
                of: caller.tenant.name, kind: kind.rawValue, offset: query.offset, limit: query.limit, now: now, $0)
        }
        return try query.response(tasks.map { try Self.shown($0, kind) }, of: count)
    }

    /// `GET ackAlarms/{id}` and the like.
    func one(_ kind: TMFTaskKind, _ id: String, _ request: Request, of caller: Caller) async throws -> Response {
        let query = try TMFQuery(request, pages: false), now = commands.clock.now()
        let task = try await commands.state.read {
            try TMFTaskStore.task(id, of: caller.tenant.name, kind: kind.rawValue, now: now, $0)
        }
        guard let task else { throw ExporterAPIError.notFound }
        return TMFQuery.json(try query.shown(Self.shown(task, kind)))
    }

    private static func shown(_ task: TMFTaskStore.Stored, _ kind: TMFTaskKind) throws -> [UInt8] {
        try JSONDecoder().decode(TMFTaskOrder.self, from: Data(task.document)).shown(kind, task.id, task.commands)
    }
}

/// What somebody ordered for several alarms. Who and when is what the server knows, whatever was sent.
struct TMFTaskOrder: Codable, Sendable {
    let contact: String
    let system, text: String?
    let at: UnixMilliseconds
    /// `alarmPattern` as it was sent; nil of a group.
    let patterns: JSONValue?
    /// Of a group: the alarm that the others are put under, and those.
    let parent: String?
    let alarms: [String]?

    init(_ kind: TMFTaskKind, _ body: TMFBody, contact: String, at: UnixMilliseconds) throws(ExporterAPIError) {
        self.contact = contact
        self.at = at
        patterns = body.members["alarmPattern"]
        try body.checkArray(kind.done)
        if kind.isOfGroup {
            let names = kind.names
            try body.check(
                known: [names.system, "parentAlarm", "correlatedAlarm", kind.done], untaken: [names.time, "state"])
            (text, system) = (nil, try body.text(names.system))
            let parent = try body.reference("parentAlarm")
            (self.parent, alarms) = (parent, try body.references("correlatedAlarm", besides: parent))
            return
        }
        (parent, alarms) = (nil, nil)
        if kind == .commentAlarms {
            try body.check(known: ["comment", "alarmPattern", kind.done], untaken: ["state"])
            guard let members = body.members["comment"]?.object else {
                throw body.fault("comment", "expected an object with comment")
            }
            let said = try TMFBody(members, in: "comment.").comment()
            (text, system) = (said.text, said.system)
        } else {
            let names = kind.names
            try body.check(
                known: [names.system, "alarmPattern", kind.done],
                untaken: [names.user, names.time, "state"].compactMap(\.self))
            (text, system) = (nil, try body.text(names.system))
        }
    }

    static func href(_ kind: TMFTaskKind, _ id: String) -> String { "\(TMF642.base)\(kind.rawValue)/\(id)" }

    /// The task as TMF642 has it.
    ///
    /// - Parameter tasks: what has become of it, alarm by alarm.
    func shown(_ kind: TMFTaskKind, _ id: String, _ tasks: [AlarmTask]) throws -> [UInt8] {
        let names = kind.names
        var who: [String: JSONValue] = [names.time: .string(Timestamp.text(at))]
        if let user = names.user { who[user] = .string(contact) }
        if let system { who[names.system] = .string(system) }
        var members: [String: JSONValue] = [
            "id": .string(id), "href": .string(Self.href(kind, id)), "state": .string(Self.state(tasks)),
            kind.done: .array(tasks.filter { $0.state == .done }.map { .object(Self.reference($0.command.alarm)) }),
        ]
        if let patterns { members["alarmPattern"] = patterns }
        if let parent { members["parentAlarm"] = .object(Self.reference(parent)) }
        if let alarms { members["correlatedAlarm"] = .array(alarms.map { .object(Self.reference($0)) }) }
        let failed = tasks.filter { $0.state == .failed }.map { task in
            var alarm = Self.reference(task.command.alarm)
            if let code = task.code { alarm["code"] = .string(code) }
            if let reason = task.reason { alarm["reason"] = .string(reason) }
            return JSONValue.object(alarm)
        }
        if !failed.isEmpty { members["failedAlarm"] = .array(failed) }
        if let text {
            who["comment"] = .string(text)
            members["comment"] = .object(who)
        } else {
            members.merge(who) { $1 }
        }
        return try SortedJSON.bytes(of: JSONValue.object(members))
    }

    /// The words of TMF630 for tasks.
    private static func state(_ tasks: [AlarmTask]) -> String {
        let pending = tasks.count { $0.state == .pending }
        if pending > 0 { return pending == tasks.count ? "acknowledged" : "inProgress" }
        return tasks.contains { $0.state == .failed } ? "terminatedWithError" : "done"
    }

    private static func reference(_ alarm: String) -> [String: JSONValue] {
        ["id": .string(alarm), "href": .string("\(TMF642.base)alarm/\(alarm)")]
    }
}
