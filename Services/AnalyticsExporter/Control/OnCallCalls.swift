internal import ExporterAPI
internal import ExporterOperations
internal import ExporterSupport
internal import Models
internal import ServiceKit

/// `schedule.*`, `escalation.*` and `maintenance.*` on the control socket: `set`, `list`, `show`, `remove`, `check`.
struct OnCallCalls: Sendable {
    let service: OnCallService

    var all: [ControlCall] {
        OnCallKind.allCases.flatMap { kind in
            [
                ControlCall("\(kind.rawValue).set", wrapped { try await set(kind, $0) }),
                ControlCall("\(kind.rawValue).list", wrapped { try await list(kind, $0) }),
                ControlCall("\(kind.rawValue).show", wrapped { try await show(kind, $0) }),
                ControlCall("\(kind.rawValue).remove", wrapped { try await remove(kind, $0) }),
                ControlCall("\(kind.rawValue).check", wrapped { try await check(kind, $0) }),
            ]
        }
    }

    /// `{id, document}`, whose tenant is the built-in regulator unless it names another.
    private func set(_ kind: OnCallKind, _ arguments: JSONValue) async throws -> JSONValue {
        let id = try DocumentCalls.id(arguments)
        guard let document = arguments["document"], document.object != nil else {
            throw ControlError.argument("document", "is not a JSON object")
        }
        let tenant = document["tenant"]?.string ?? Regulator.tenant
        return try await service.set(kind, id, document, of: tenant, by: nil)
    }

    /// `{tenant?}` → those of the tenant, or of all.
    private func list(_ kind: OnCallKind, _ arguments: JSONValue) async throws -> JSONValue {
        try await service.list(kind, of: try arguments.optionalText("tenant"))
    }

    private func show(_ kind: OnCallKind, _ arguments: JSONValue) async throws -> JSONValue {
        try await service.show(kind, DocumentCalls.id(arguments), of: tenant(arguments))
    }

    private func remove(_ kind: OnCallKind, _ arguments: JSONValue) async throws -> JSONValue {
        let id = try DocumentCalls.id(arguments)
        try await service.remove(kind, id, of: tenant(arguments), by: nil)
        return ["id": .string(id), "removed": true]
    }

    /// `{tenant?, id, days?}`.
    private func check(_ kind: OnCallKind, _ arguments: JSONValue) async throws -> JSONValue {
        let days = try arguments.integer("days", default: 7, in: 1...92)
        return try await service.check(kind, DocumentCalls.id(arguments), of: tenant(arguments), days: days)
    }

    private func tenant(_ arguments: JSONValue) throws -> String {
        try arguments.optionalText("tenant") ?? Regulator.tenant
    }
}
