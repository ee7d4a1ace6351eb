internal import ExporterAPI
internal import ExporterOperations
internal import ExporterSupport
internal import Models
internal import ServiceKit

/// `site.*`, `sensor.*`, `door.*`, `key.*` on the control socket: `set`, `list`, `show`, `remove`. For whoever may use the socket, in the
/// name of the regulator, whose every site is.
struct SiteCalls: Sendable {
    let documents: SiteDocuments

    var all: [ControlCall] {
        SiteKind.allCases.flatMap { kind in
            [
                ControlCall("\(kind).set", wrapped { try await set(kind, $0) }),
                ControlCall("\(kind).list", wrapped { _ in .array(try await documents.list(kind, of: .builtIn)) }),
                ControlCall("\(kind).show", wrapped { try await show(kind, $0) }),
                ControlCall("\(kind).remove", wrapped { try await remove(kind, $0) }),
            ]
        }
    }

    /// `{id, document}` → the document.
    private func set(_ kind: SiteKind, _ arguments: JSONValue) async throws -> JSONValue {
        let id = try DocumentCalls.id(arguments)
        return try await documents.put(kind, id, arguments["document"] ?? .null, by: .builtIn)
    }

    private func show(_ kind: SiteKind, _ arguments: JSONValue) async throws -> JSONValue {
        let id = try DocumentCalls.id(arguments)
        guard let document = try await documents.one(kind, id, of: .builtIn) else {
            throw ControlError.notFound("there is no \(kind) \"\(id)\"")
        }
        return document
    }

    private func remove(_ kind: SiteKind, _ arguments: JSONValue) async throws -> JSONValue {
        let id = try DocumentCalls.id(arguments)
        return try await documents.remove(kind, id, by: .builtIn)
    }
}
