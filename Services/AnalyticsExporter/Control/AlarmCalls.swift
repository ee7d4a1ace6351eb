internal import ExporterAPI
internal import ExporterOperations
internal import ExporterStores
internal import ExporterSupport
internal import Models
internal import ServiceKit

/// `alarm.list`, `alarm.show`, `alarm.history`, `alarm.act` on the control socket: what the API gives contacts, for whoever may use the
/// socket. An act is done in the name of a contact that there is, and so stands in the history and in the audit log.
struct AlarmCalls: Sendable {
    /// For how long an act waits for the router.
    private static let patience = Duration.seconds(5)

    let changes: ChangeQueue
    let commands: AlarmCommandService

    var all: [ControlCall] {
        [
            ControlCall("alarm.list", wrapped(list)), ControlCall("alarm.show", wrapped(show)),
            ControlCall("alarm.history", wrapped(history)), ControlCall("alarm.act", wrapped(act)),
        ]
    }

    /// `{tenant?, all?}` → the alarms that the tenant sees, those that are over only if all are asked for.
    func list(_ arguments: JSONValue) async throws -> JSONValue {
        let tenant = try tenant(arguments)
        let isAll = arguments["all"] == nil ? false : try arguments.flag("all")
        let documents = try await commands.alarms(isAll ? AlarmFilter() : AlarmFilter().ofOpenUnlessNamed, of: tenant)
        return .array(try documents.map { try JSONValue(bytes: $0) })
    }

    /// `{tenant?, id}` → the document.
    func show(_ arguments: JSONValue) async throws -> JSONValue {
        let tenant = try tenant(arguments), id = try arguments.text("id")
        guard let document = try await commands.alarm(id, of: tenant) else {
            throw Self.unknown(id, tenant)
        }
        return try JSONValue(bytes: document)
    }

    /// `{tenant?, id}` → what it was from when on, and who did what.
    func history(_ arguments: JSONValue) async throws -> JSONValue {
        let tenant = try tenant(arguments), id = try arguments.text("id")
        guard let history = try await commands.history(of: id, tenant) else { throw Self.unknown(id, tenant) }
        return history
    }

    /// `{tenant?, contact?, id, act, members?}` → the task, decided unless the router is away.
    func act(_ arguments: JSONValue) async throws -> JSONValue {
        let tenant = try tenant(arguments), name = try arguments.optionalText("contact") ?? Regulator.contact
        guard let caller = changes.directory.caller(name, of: tenant.name) else {
            throw ControlError.argument("contact", "is \"\(name)\"; tenant \(tenant.name) has no such contact")
        }
        return try await commands.act(
            arguments.text("act"), on: arguments.text("id"), members: arguments["members"] ?? .object([:]), by: caller,
            within: Self.patience)
    }

    /// The built-in regulator unless another is named.
    private func tenant(_ arguments: JSONValue) throws -> Tenant {
        guard let name = try arguments.optionalText("tenant") else { return .builtIn }
        guard let tenant = changes.directory.tenant(name) else {
            throw ControlError.notFound("there is no tenant \"\(name)\"")
        }
        return tenant
    }

    private static func unknown(_ id: String, _ tenant: Tenant) -> ControlError {
        .notFound("tenant \(tenant.name) sees no alarm \"\(id)\"")
    }
}
