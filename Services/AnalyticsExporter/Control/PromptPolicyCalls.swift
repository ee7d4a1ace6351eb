internal import GRDB
internal import Logging
internal import Models
internal import ServiceKit

/// `prompt-policy.set` and `prompt-policy.show` on the control socket: the one document by which phones ask for feedback.
struct PromptPolicyCalls: Sendable {
    /// Its key on the lane.
    static let key = "policy"
    /// Bytes of the document as it is published.
    static let mostBytes = 16_384
    /// JSON numbers are exact up to here everywhere.
    static let versions: ClosedRange<Int64> = 1...(1 << 53)

    let desk: OperationsDesk
    let logger: Logger

    var all: [ControlCall] {
        [
            ControlCall("prompt-policy.set", wrapped { try await set($0) }),
            ControlCall("prompt-policy.show", wrapped { _ in try await show() }),
        ]
    }

    /// `{document}`: a JSON object whose `version` is above that of the one in force; the rest is the phones' to understand.
    func set(_ arguments: JSONValue) async throws -> JSONValue {
        guard let document = arguments["document"], document.object != nil else {
            throw ControlError.argument("document", "is not a JSON object")
        }
        guard let version = document["version"]?.integer, Self.versions.contains(version) else {
            throw ControlError.argument(
                "document.version", "is not a whole number of \(Self.versions.lowerBound)…\(Self.versions.upperBound)")
        }
        let record = try OperationRecord(.promptPolicy, key: Self.key, document)
        guard record.document!.count <= Self.mostBytes else {
            throw ControlError.argument("document", "has more than \(Self.mostBytes) bytes")
        }
        try await desk.submit { db, _ in
            if let known = try Self.stored(db)?["version"]?.integer, known >= version {
                throw ControlError.refused("version \(version) is not above \(known), the version in force")
            }
            try DocumentStore.put(record, db)
            return ((), [record])
        }
        logger.notice("prompt policy set", metadata: ["version": "\(version)"])
        return document
    }

    /// The document in force.
    func show() async throws -> JSONValue {
        guard let document = try await desk.read({ try Self.stored($0) }) else {
            throw ControlError.notFound("no prompt policy is set")
        }
        return document
    }

    private static func stored(_ db: Database) throws -> JSONValue? {
        try DocumentStore.all(of: .promptPolicy, db).first { $0.key == key }.map { try JSONValue(bytes: $0.document) }
    }
}
