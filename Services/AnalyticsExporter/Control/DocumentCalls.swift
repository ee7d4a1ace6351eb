internal import ExporterAPI
internal import ExporterOperations
internal import ExporterSupport
internal import Foundation
internal import Logging
internal import Models
internal import ServiceKit

/// `rule.*` and `campaign.*` on the control socket: `set`, `list`, `remove`.
struct DocumentCalls: Sendable {
    /// The year 3000, for what has no end.
    static let farFuture: UnixMilliseconds = 32_503_680_000_000

    let changes: ChangeQueue
    let rules: DocumentService
    /// What campaigns can be about.
    let programmes: Programmes
    let clock: WallClock
    let logger: Logger

    var all: [ControlCall] {
        [
            ControlCall("rule.set", wrapped { try await setRule($0) }),
            ControlCall("rule.list", wrapped { _ in .array(try await rules.list(.all)) }),
            ControlCall("rule.remove", wrapped { try await Self.remove(try Self.id($0), rules) }),
            ControlCall("campaign.set", wrapped { try await setCampaign($0) }),
            ControlCall("campaign.check", wrapped { try checkCampaign($0) }),
            ControlCall("campaign.show", wrapped { try await showCampaign(try Self.id($0)) }),
            ControlCall("campaign.list", wrapped { _ in try await list(.campaign) }),
            ControlCall("campaign.remove", wrapped { try await remove(.campaign, try Self.id($0)) }),
        ]
    }

    /// `{id, document}`: a rule, compiled as the router will compile it.
    private func setRule(_ arguments: JSONValue) async throws -> JSONValue {
        let id = try Self.id(arguments)
        guard let document = arguments["document"], document.object != nil else {
            throw ControlError.argument("document", "is not a JSON object")
        }
        return try await rules.set(id, document, .all).shown["document"] ?? .null
    }

    /// `{id, amount_xaf, daily_maximum?, operators?, from_ms?, to_ms?, active?, kind?}`; by default one grant a day for
    /// any network, for feedback, from now on.
    private func campaign(_ arguments: JSONValue) throws -> CampaignDocument {
        let document = CampaignDocument(
            id: try Self.id(arguments), amountXAF: try arguments.integer("amount_xaf", in: CampaignDocument.amounts),
            dailyMaximum: try arguments.integer("daily_maximum", default: 1, in: 0...10_000),
            operators: try arguments.texts("operators"),
            from: try arguments.integer("from_ms", default: clock.now(), in: 0...Self.farFuture),
            to: try arguments.integer("to_ms", default: Self.farFuture, in: 0...Self.farFuture),
            isActive: arguments["active"] == nil ? true : try arguments.flag("active"), kind: try kind(arguments))
        guard document.from < document.to else { throw ControlError.argument("to_ms", "is not after from_ms") }
        if let wrong = document.operators.first(where: { PLMN(text: $0) == nil }) {
            throw ControlError.argument("operators", "has \"\(wrong)\"; expected five or six digits (MCC and MNC)")
        }
        return document
    }

    /// Nil for feedback, which is what a campaign is for unless it says otherwise.
    private func kind(_ arguments: JSONValue) throws -> String? {
        guard let name = try arguments.optionalText("kind"), name != "feedback" else { return nil }
        let rewarded = programmes.kinds.filter(\.isRewarded).map(\.kind.name)
        guard rewarded.contains(name) else {
            throw ControlError.argument("kind", "is \"\(name)\"; expected one of \(rewarded.joined(separator: ", "))")
        }
        return name
    }

    /// `{id, document}`, or the members of ``campaign(_:)``. A document that names a version is set only if that is the one there is.
    private func setCampaign(_ arguments: JSONValue) async throws -> JSONValue {
        let read = try arguments["document"] == nil ? nil : reading(arguments)
        let wanted = try read?.campaign ?? campaign(arguments)
        let bytes = try await changes.submit { [seen = read?.version] db, _ in
            let stored = try DocumentStore.document(wanted.id, of: .campaign, db).map {
                try JSONDecoder().decode(CampaignDocument.self, from: Data($0))
            }
            let version = stored.map { $0.version ?? 1 } ?? 0
            if let seen, seen != version {
                let what = version == 0 ? "is not there" : "is at version \(version)"
                throw ControlError.refused("the campaign \(what), and not at \(seen): somebody else has changed it")
            }
            var next = wanted
            next.version = version + 1
            let record = try OperationRecord(.campaign, key: next.id, next)
            try DocumentStore.put(record, db)
            return (record.document ?? [], [record])
        }
        logger.notice("campaign set", metadata: ["id": "\(wanted.id)"])
        return try JSONValue(bytes: bytes)
    }

    /// `{id, document}`: the campaign as it would be set; changes nothing.
    private func checkCampaign(_ arguments: JSONValue) throws -> JSONValue {
        try JSONValue(bytes: SortedJSON.bytes(of: reading(arguments).campaign))
    }

    private func reading(_ arguments: JSONValue) throws -> CampaignReading {
        guard let members = arguments["document"]?.object else {
            throw ControlError.argument("document", "is not a JSON object")
        }
        return try CampaignReading(
            members, id: try Self.id(arguments), rewarded: programmes.kinds.filter(\.isRewarded).map(\.kind),
            now: clock.now())
    }

    private func showCampaign(_ id: String) async throws -> JSONValue {
        let stored = try await changes.read { try DocumentStore.document(id, of: .campaign, $0) }
        guard let stored else { throw ControlError.notFound("there is no campaign \"\(id)\"") }
        return try JSONValue(bytes: stored)
    }

    private func list(_ kind: RecordKind) async throws -> JSONValue {
        let stored = try await changes.read { try DocumentStore.all(of: kind, $0).map { Listed(id: $0, document: $1) } }
        return .array(
            try stored.map { try JSONValue(bytes: $0.document) })
    }

    private func remove(_ kind: RecordKind, _ id: String) async throws -> JSONValue {
        try await changes.submit { db, _ in
            guard try DocumentStore.contains(id, of: kind, db) else {
                throw ControlError.notFound("there is no \(kind.name) \"\(id)\"")
            }
            try DocumentStore.remove(id, of: kind, db)
            return ((), [OperationRecord(removed: id, of: kind)])
        }
        logger.notice("\(kind.name) removed", metadata: ["id": "\(id)"])
        return ["id": .string(id), "removed": true]
    }

    /// Takes a document off the lane.
    static func remove(_ id: String, _ documents: DocumentService) async throws -> JSONValue {
        try await documents.remove(id, .all)
        return ["id": .string(id), "removed": true]
    }

    static func id(_ arguments: JSONValue) throws -> String {
        let id = try arguments.text("id")
        guard DocumentService.isName(id) else {
            throw ControlError.argument("id", "is \"\(id.prefix(64))\"; expected 1…64 of letters, digits, - _ .")
        }
        return id
    }

    private struct Listed: Sendable {
        let id: String
        let document: [UInt8]
    }
}
