internal import ExporterOperations
internal import ExporterSupport
internal import GRDB
internal import Logging
internal import Models
internal import QoE
internal import ServiceKit

/// `prompt-policy.set` and `prompt-policy.show` on the control socket: the one document by which phones ask for feedback.
struct PromptPolicyCalls: Sendable {
    /// Its key on the lane.
    static let key = "policy"
    let changes: ChangeQueue
    /// The home's zone, in which the built-in policy has its quiet hours.
    let timeZone: String
    let logger: Logger

    var all: [ControlCall] {
        [
            ControlCall("prompt-policy.set", wrapped { try await set($0) }),
            ControlCall("prompt-policy.show", wrapped { _ in try await show() }),
        ]
    }

    /// `{document}`: a ``PromptPolicy`` whose `version` is above that of the one in force.
    func set(_ arguments: JSONValue) async throws -> JSONValue {
        guard let document = arguments["document"] else { throw ControlError.argument("document", "is missing") }
        let policy = try PromptPolicyReader.read(document), version = policy.version
        let record = try OperationRecord(.promptPolicy, key: Self.key, policy)
        try await changes.submit { db, _ in
            if let known = try Self.stored(db)?["version"]?.integer, known >= version {
                throw ControlError.refused("version \(version) is not above \(known), the version in force")
            }
            try DocumentStore.put(record, db)
            return ((), [record])
        }
        logger.notice("prompt policy set", metadata: ["version": "\(version)"])
        return try JSONValue(bytes: record.document!)
    }

    /// The document in force: the one that was set, or the built-in one, whose version is 0.
    func show() async throws -> JSONValue {
        try await changes.read { try Self.stored($0) } ?? JSONValue(encoding: PromptPolicy.builtIn(timeZone: timeZone))
    }

    private static func stored(_ db: Database) throws -> JSONValue? {
        try DocumentStore.all(of: .promptPolicy, db).first { $0.key == key }.map { try JSONValue(bytes: $0.document) }
    }
}
