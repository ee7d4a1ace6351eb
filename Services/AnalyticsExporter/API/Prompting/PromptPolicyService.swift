package import ExporterOperations
package import ExporterSupport
internal import GRDB
internal import Hummingbird
package import Logging
internal import Models
internal import NIOCore
internal import QoE
package import ServiceKit

/// The one document by which phones ask for feedback: `/v1/prompt-policy`, and `nkul admin prompt-policy`.
package struct PromptPolicyService: Sendable {
    /// Its key on the lane.
    private static let key = "policy"

    let changes: ChangeQueue
    let gate: Gate
    /// The home's zone, in which the built-in policy has its quiet hours.
    let timeZone: String
    let logger: Logger

    package init(changes: ChangeQueue, gate: Gate, timeZone: String, logger: Logger) {
        self.changes = changes
        self.gate = gate
        self.timeZone = timeZone
        self.logger = logger
    }

    /// Puts a policy in force, whose `version` is above that of the one that is.
    ///
    /// - Parameter caller: nil is whoever may use the control socket.
    /// - Throws: `ControlError` `bad_argument` naming `document.<member>`, or `refused`.
    package func set(_ document: JSONValue, by caller: Caller? = nil) async throws -> JSONValue {
        let policy = try PromptPolicyReader.read(document), version = policy.version
        let record = try OperationRecord(.promptPolicy, key: Self.key, policy)
        try await changes.submit { db, now in
            if let known = try Self.stored(db)?["version"]?.integer, known >= version {
                throw ControlError.refused("version \(version) is not above \(known), the version in force")
            }
            try DocumentStore.put(record, db)
            let act = try caller.map {
                try ContactActs.records("prompt_policy.set", "\(version)", by: $0, now: now, db)
            }
            return ((), [record] + (act ?? []))
        }
        logger.notice(
            "prompt policy set", metadata: ["version": "\(version)", "contact": "\(caller?.contact ?? "nkul admin")"])
        return try JSONValue(bytes: record.document!)
    }

    /// The document in force: the one that was set, or the built-in one, whose version is 0.
    package func show() async throws -> JSONValue {
        try await changes.read { try Self.stored($0) } ?? JSONValue(encoding: PromptPolicy.builtIn(timeZone: timeZone))
    }

    /// `GET /v1/prompt-policy`.
    func response() async throws -> Response { Self.json(try await show()) }

    /// `PUT /v1/prompt-policy`: for managers of regulators, as it holds for phones of all networks.
    func put(_ request: Request, by caller: Caller) async throws -> Response {
        try gate.checkManager(caller, request)
        guard caller.tenant.isRegulator else {
            throw ExporterAPIError(.forbidden, "role", "the policy is everybody's: it is for managers of a regulator")
        }
        let document = try await ManagedDocuments.object(request)
        do { return Self.json(try await set(document, by: caller)) } catch var error as ControlError {
            // The document is all of the body here.
            let inside = "document."
            if let field = error.field, field.hasPrefix(inside) { error.field = String(field.dropFirst(inside.count)) }
            throw error
        }
    }

    private static func stored(_ db: Database) throws -> JSONValue? {
        try DocumentStore.all(of: .promptPolicy, db).first { $0.key == key }.map { try JSONValue(bytes: $0.document) }
    }

    private static func json(_ document: JSONValue) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: document.text)))
    }
}
