internal import Channels
internal import ExporterSupport
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `hub` of TM Forum TMF642 v4: listeners of a tenant. Each is a channel of kind `tmf642`, which the notifier tells.
struct TMFHubService: Sendable {
    let documents: ManagedDocuments

    /// `POST hub`.
    func add(_ request: Request, by caller: Caller) async throws -> Response {
        try documents.gate.checkManager(caller, request)
        let body = try await TMFBody(request)
        try body.check(known: ["callback", "query"])
        guard let callback = body.members["callback"]?.string else {
            throw body.fault("callback", "expected " + TargetURL.allowed)
        }
        let id = "hub-" + Secret.identifier()
        var document: [String: JSONValue] = [
            "kind": "tmf642", "tenant": .string(caller.tenant.name), "url": .string(callback),
        ]
        // Null means the same as nothing, and is not shown again.
        document["query"] = body.members["query"].flatMap { $0 == .null ? nil : $0 }
        do {
            try await documents.addListener(id, .object(document), of: caller)
        } catch let refusal as DocumentRefusal {
            let problem = refusal.problems[0]
            throw body.fault(problem.path == "url" ? "callback" : problem.path, problem.text)
        }
        var response = TMFQuery.json(
            Array(Self.shown(.object(document), id).text.utf8), status: .created)
        response.headers[.location] = "\(TMF642.base)hub/\(id)"
        return response
    }

    /// `GET hub`: the tenant's.
    func list(_ request: Request, of caller: Caller) async throws -> Response {
        let query = try TMFQuery(request, pages: true), all = try await listeners(request, of: caller)
        let some = all.dropFirst(query.offset).prefix(query.limit)
        return try query.response(some.map { Array($0.text.utf8) }, of: all.count)
    }

    /// `GET hub/{id}`.
    func one(_ id: String, _ request: Request, of caller: Caller) async throws -> Response {
        let query = try TMFQuery(request, pages: false)
        guard let found = try await listeners(request, of: caller).first(where: { $0["id"]?.string == id }) else {
            throw ExporterAPIError.notFound
        }
        return TMFQuery.json(try query.shown(Array(found.text.utf8)))
    }

    /// `DELETE hub/{id}`.
    func remove(_ id: String, _ request: Request, by caller: Caller) async throws -> Response {
        _ = try await one(id, request, of: caller)
        return try await documents.remove(id, documents.channels, request, by: caller)
    }

    /// Those of the caller's tenant, a regulator's, too.
    private func listeners(_ request: Request, of caller: Caller) async throws -> [JSONValue] {
        try documents.gate.checkManager(caller, request)
        return try await documents.channels.list(.tenant(caller.tenant)).filter { $0["kind"] == "tmf642" }
            .map { Self.shown($0, $0["id"]?.string ?? "") }
    }

    private static func shown(_ channel: JSONValue, _ id: String) -> JSONValue {
        var members: [String: JSONValue] = ["id": .string(id), "callback": channel["url"] ?? .null]
        members["query"] = channel["query"]
        return .object(members)
    }
}
