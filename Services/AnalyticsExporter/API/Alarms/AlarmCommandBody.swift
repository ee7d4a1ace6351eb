internal import ExporterSupport
internal import Foundation
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit

/// The body of a call that does something to an alarm: a JSON object, or nothing where no member is needed.
///
///     acknowledge accept   until | for_minutes, system          shelve       until | for_minutes, reason
///     handover             to, note                             comment      text, system
///     usefulness           useful                               group        parent
///                                                               each         version
struct AlarmCommandBody {
    static let mostBytes = 16_384
    /// Characters of a comment, a note, a reason.
    static let texts = 1...1_000
    static let minutes: ClosedRange<Int64> = 1...10_080

    private let members: [String: JSONValue]
    private let until: UnixMilliseconds?

    /// - Throws: ``ExporterAPIError`` 422 that names the member.
    init(_ request: Request, for act: AlarmCommand.Act, now: UnixMilliseconds) async throws {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.mostBytes)
        } catch is NIOTooManyBytesError {
            throw ExporterAPIError(
                .contentTooLarge, "too_large", "what is said of an alarm has at most \(Self.mostBytes) bytes")
        }
        try self.init(Array(body.readableBytesView), for: act, now: now)
    }

    init(_ bytes: [UInt8], for act: AlarmCommand.Act, now: UnixMilliseconds) throws(ExporterAPIError) {
        let members: [String: JSONValue]
        if bytes.isEmpty {
            members = [:]
        } else {
            guard let value = try? JSONValue(bytes: bytes), let object = value.object else {
                throw ExporterAPIError(.badRequest, "invalid_body", "expected a JSON object")
            }
            members = object
        }
        let known = Self.known(act)
        if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw Self.fault(other, "no such member; allowed: \(known.joined(separator: ", "))")
        }
        self.members = members
        until = try Self.until(members, now)
        if act == .shelve, until == nil { throw Self.fault("until", "say until when, or for_minutes") }
        if let name = Self.needed(act).first(where: { members[$0] == nil }) { throw Self.fault(name, "is needed") }
        if let value = members["useful"], value.bool == nil { throw Self.fault("useful", "expected true or false") }
        for name in ["text", "reason", "note", "to", "parent", "system"] {
            guard let value = members[name] else { continue }
            guard let text = value.string, Self.texts.contains(text.count),
                text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || $0 == "\n" })
            else {
                throw Self.fault(
                    name, "expected \(Self.texts.lowerBound)…\(Self.texts.upperBound) characters, none of them control")
            }
        }
        if let version = members["version"], version.integer.map({ $0 < 0 }) ?? true {
            throw Self.fault("version", "expected handlingVersion of the alarm as it was read")
        }
    }

    func command(
        _ act: AlarmCommand.Act, on alarm: String, task: String, by caller: Caller, at now: UnixMilliseconds
    ) -> AlarmCommand {
        AlarmCommand(
            task: task, alarm: alarm, act: act, tenant: caller.tenant.name, contact: caller.contact,
            system: members["system"]?.string, at: now, version: members["version"]?.integer, until: until,
            to: members["to"]?.string, parent: members["parent"]?.string,
            text: ["text", "reason", "note"].lazy.compactMap { members[$0]?.string }.first,
            isUseful: members["useful"]?.bool)
    }

    /// What the members of an act are, for its document.
    static func schema(_ act: AlarmCommand.Act) -> JSONValue {
        let text: JSONValue = [
            "type": "string", "minLength": .integer(Int64(texts.lowerBound)),
            "maxLength": .integer(Int64(texts.upperBound)),
            "pattern": "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]+$",
        ]
        let members: [String: JSONValue] = [
            "until": [
                "type": "string", "format": "soon",
                "description": "RFC 3339 (or a number: Unix milliseconds), after now and within 7 days",
            ],
            "for_minutes": [
                "type": "integer", "minimum": .integer(minutes.lowerBound), "maximum": .integer(minutes.upperBound),
            ],
            "system": text, "note": text, "text": text, "reason": text,
            "to": ["type": "string", "format": "contact", "description": "a contact of the tenant who is no viewer"],
            "parent": ["type": "string", "format": "alarm", "description": "an alarm of the tenant that goes on"],
            "useful": ["type": "boolean"],
            "version": [
                "type": "integer", "minimum": 0, "maximum": .integer(Int64.max),
                "description": "`handlingVersion` of the alarm as it was read",
            ],
        ]
        var object: [String: JSONValue] = [
            "type": "object", "properties": .object(members.filter { known(act).contains($0.key) }),
            "required": .array(needed(act).map { .string($0) }), "additionalProperties": false,
        ]
        if known(act).contains("until") { object["not"] = ["required": ["until", "for_minutes"]] }
        if act == .shelve { object["anyOf"] = [["required": ["until"]], ["required": ["for_minutes"]]] }
        return .object(object)
    }

    /// Members without which an act cannot be done; of shelving also an end.
    static func needed(_ act: AlarmCommand.Act) -> [String] {
        switch act {
        case .comment: ["text"]
        case .group: ["parent"]
        case .offer: ["to"]
        case .rate: ["useful"]
        case .shelve: ["reason"]
        default: []
        }
    }

    private static func known(_ act: AlarmCommand.Act) -> [String] {
        switch act {
        case .acknowledge, .accept: ["until", "for_minutes", "system", "version"]
        case .offer: ["to", "note", "version"]
        case .comment: ["text", "system", "version"]
        case .shelve: ["until", "for_minutes", "reason", "version"]
        case .rate: ["useful", "version"]
        case .clear: ["system", "version"]
        case .group: ["parent", "version"]
        case .unacknowledge, .decline, .ungroup, .unshelve, .escalate: ["version"]
        }
    }

    private static func until(_ members: [String: JSONValue], _ now: UnixMilliseconds) throws(ExporterAPIError)
        -> UnixMilliseconds?
    {
        if let value = members["for_minutes"] {
            guard members["until"] == nil else { throw fault("for_minutes", "until says it already") }
            guard let minutes = value.integer, Self.minutes.contains(minutes) else {
                throw fault("for_minutes", "expected \(Self.minutes.lowerBound)…\(Self.minutes.upperBound)")
            }
            return now + minutes * 60_000
        }
        guard let value = members["until"] else { return nil }
        let text = value.string ?? value.integer.map(String.init) ?? ""
        let query = try? QueryParameters([(key: "until", value: text)], known: ["until"])
        guard let time = try? query?.instant("until"), time > now, time <= now + Self.minutes.upperBound * 60_000 else {
            throw fault("until", "expected a time after now and within 7 days: RFC 3339, or Unix milliseconds")
        }
        return time
    }

    private static func fault(_ member: String, _ detail: String) -> ExporterAPIError {
        ExporterAPIError(.unprocessableContent, "invalid_member", "\(member): \(detail)", field: member)
    }
}
