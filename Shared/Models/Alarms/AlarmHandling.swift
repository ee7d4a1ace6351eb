/// What the contacts of one tenant have done about an alarm. Other tenants that see the same alarm have their own.
///
/// A value that only ``AlarmHandlingCore`` of the router changes; everybody else reads it from the `alerts` lane.
public struct AlarmHandling: Codable, Sendable, Equatable {
    /// Comments that are kept of an alarm; a further one is refused.
    public static let mostComments = 200
    /// Alarms under one by hand; a further one is refused.
    public static let mostChildren = 200

    public struct Acknowledgement: Codable, Sendable, Equatable {
        public var contact: String
        public var system: String?
        public var at: UnixMilliseconds
        /// It runs out then; nil once the alarm is over.
        public var until: UnixMilliseconds?

        public init(contact: String, system: String? = nil, at: UnixMilliseconds, until: UnixMilliseconds?) {
            self.contact = contact
            self.system = system
            self.at = at
            self.until = until
        }

        enum CodingKeys: String, CodingKey {
            case contact, system
            case at = "at_ms"
            case until = "until_ms"
        }
    }

    public struct Offer: Codable, Sendable, Equatable {
        public var from: String
        public var to: String
        public var note: String?
        public var at: UnixMilliseconds

        public init(from: String, to: String, note: String? = nil, at: UnixMilliseconds) {
            self.from = from
            self.to = to
            self.note = note
            self.at = at
        }

        enum CodingKeys: String, CodingKey {
            case from, to, note
            case at = "at_ms"
        }
    }

    public struct Shelving: Codable, Sendable, Equatable {
        public var contact: String
        public var reason: String
        public var at: UnixMilliseconds
        public var until: UnixMilliseconds

        public init(contact: String, reason: String, at: UnixMilliseconds, until: UnixMilliseconds) {
            self.contact = contact
            self.reason = reason
            self.at = at
            self.until = until
        }

        enum CodingKeys: String, CodingKey {
            case contact, reason
            case at = "at_ms"
            case until = "until_ms"
        }
    }

    public struct Comment: Codable, Sendable, Equatable {
        public var contact: String
        public var system: String?
        public var at: UnixMilliseconds
        public var text: String

        public init(contact: String, system: String? = nil, at: UnixMilliseconds, text: String) {
            self.contact = contact
            self.system = system
            self.at = at
            self.text = text
        }

        enum CodingKeys: String, CodingKey {
            case contact, system, text
            case at = "at_ms"
        }
    }

    /// That the alarm was raised during planned work.
    public struct Planned: Codable, Sendable, Equatable {
        /// Names the document `maintenance`.
        public var maintenance: String
        public var reason: String
        /// When the work is over, and the alarm is told if it is still open; nil once the alarm is over.
        public var until: UnixMilliseconds?

        public init(maintenance: String, reason: String, until: UnixMilliseconds?) {
            self.maintenance = maintenance
            self.reason = reason
            self.until = until
        }

        enum CodingKeys: String, CodingKey {
            case maintenance, reason
            case until = "until_ms"
        }
    }

    /// How far the calls for somebody to take the alarm have come.
    public struct Escalation: Codable, Sendable, Equatable {
        /// Names the document `escalation`.
        public var policy: String
        /// Steps of it that were taken since it began, or began anew.
        public var step: Int
        /// Steps that were taken since the alarm was raised: rises by one with each, whatever begins anew.
        public var calls: Int64
        /// Whom the last of them calls: contacts by their channels, and channels. Nobody once it is not to be told any more.
        public var contacts, channels: [String]
        /// When the last of them was taken.
        public var at: UnixMilliseconds?
        /// When the next is due; nil if none is.
        public var nextAt: UnixMilliseconds?

        public init(policy: String, calls: Int64 = 0, nextAt: UnixMilliseconds?) {
            self.policy = policy
            self.calls = calls
            self.nextAt = nextAt
            step = 0
            (contacts, channels) = ([], [])
        }

        enum CodingKeys: String, CodingKey {
            case policy, step, calls, contacts, channels
            case at = "at_ms"
            case nextAt = "next_at_ms"
        }
    }

    /// Who ended the alarm by hand.
    public struct Clearing: Codable, Sendable, Equatable {
        public var contact: String
        public var system: String?
        public var at: UnixMilliseconds

        public init(contact: String, system: String? = nil, at: UnixMilliseconds) {
            self.contact = contact
            self.system = system
            self.at = at
        }

        enum CodingKeys: String, CodingKey {
            case contact, system
            case at = "at_ms"
        }
    }

    public let alarm: String
    public let tenant: String
    /// Rises by one with each act of a contact, and with what runs out; calls and planned work leave it.
    public var version: Int64
    public var acknowledgement: Acknowledgement?
    /// Who has it.
    public var owner: String?
    public var offer: Offer?
    public var shelving: Shelving?
    public var planned: Planned?
    public var escalation: Escalation?
    public var comments: [Comment]
    /// The alarm under which it was put by hand.
    public var parent: String?
    /// Those that were put under it by hand, in that order; nil if there were never any.
    public var children: [String]?
    public var clearing: Clearing?
    /// By contact: whether it was useful to be told.
    public var usefulness: [String: Bool]
    /// How often channels were to tell it again: an acknowledgement or a shelving ran out.
    public var reminders: Int64

    public init(alarm: String, tenant: String) {
        self.alarm = alarm
        self.tenant = tenant
        version = 0
        comments = []
        usefulness = [:]
        reminders = 0
    }

    /// The key of the record.
    public var key: String { "\(alarm)/\(tenant)" }

    /// When something of it runs out, or somebody else is to be called; nil if nothing is due.
    public var dueAt: UnixMilliseconds? {
        [acknowledgement?.until, shelving?.until, planned?.until, escalation?.nextAt].compactMap(\.self).min()
    }

    /// Whether the alarm is kept from channels, sounds and lists.
    public var isHidden: Bool { shelving != nil || planned != nil }
}

extension AlarmHandling {
    /// What an alarm's document says of the handling nobody has begun.
    private static let untouched = "\"ackState\":\"unacknowledged\""

    /// A document of the router with this handling in it, as the tenant sees it: TM Forum TMF642 v4 where that has a member, and
    /// members of our own.
    ///
    /// - Parameter document: JSON of an alarm as the router writes it.
    public func shown(in document: [UInt8]) -> [UInt8] {
        let text = String(decoding: document, as: UTF8.self)
        guard let place = text.firstRange(of: Self.untouched) else { return document }
        var members = members, rest = String(text[place.upperBound...])
        for (name, alarms) in [("parentAlarm", parent.map { [$0] } ?? []), ("correlatedAlarm", children ?? [])] {
            guard !alarms.isEmpty else { continue }
            let references = alarms.map(Self.reference).joined(separator: ",")
            // Storms have made a group, too; the router writes no empty array.
            if let array = rest.firstRange(of: "\"\(name)\":[") {
                rest.insert(contentsOf: references + ",", at: array.upperBound)
            } else {
                members += ",\"\(name)\":[\(references)]"
            }
        }
        return Array((text[..<place.lowerBound] + members + rest).utf8)
    }

    /// As TMF642 refers to an alarm. Identifiers are plain.
    private static func reference(_ id: String) -> String {
        "{\"id\":\"\(id)\",\"href\":\"/tmf-api/alarmManagement/v4/alarm/\(id)\"}"
    }

    /// Members of a JSON object, without its braces.
    var members: String {
        var members: [(String, any Encodable)] = [
            ("ackState", acknowledgement == nil ? "unacknowledged" : "acknowledged"), ("handlingVersion", version),
        ]
        func add(_ name: String, _ value: (any Encodable)?) { if let value { members.append((name, value)) } }
        add("ackUserId", acknowledgement?.contact)
        add("ackSystemId", acknowledgement?.system)
        add("acknowledgedAt", (acknowledgement?.at).map(Timestamp.text))
        add("acknowledgedUntil", (acknowledgement?.until).map(Timestamp.text))
        add("clearUserId", clearing?.contact)
        add("clearSystemId", clearing?.system)
        add("owner", owner)
        add("offeredTo", offer?.to)
        add("offeredBy", offer?.from)
        add("offerNote", offer?.note)
        add("shelvedUntil", (shelving?.until).map(Timestamp.text))
        add("shelvedBy", shelving?.contact)
        add("shelvedReason", shelving?.reason)
        add("plannedOutageIndicator", planned.map { _ in "planned" })
        add("plannedBy", planned?.maintenance)
        add("plannedReason", planned?.reason)
        add("plannedUntil", planned?.until.map(Timestamp.text))
        add("escalationStep", escalation.flatMap { $0.step > 0 ? $0.step : nil })
        add("escalatedAt", (escalation?.at).map(Timestamp.text))
        add("escalatesAt", (escalation?.nextAt).map(Timestamp.text))
        add("called", escalation.flatMap { $0.contacts.isEmpty ? nil : $0.contacts })
        if !usefulness.isEmpty {
            add("useful", usefulness.values.count { $0 })
            add("notUseful", usefulness.values.count { !$0 })
        }
        if !comments.isEmpty {
            add("comment", comments.map(Shown.init))
        }
        return members.map { "\"\($0)\":\((try? SortedJSON.text(of: $1)) ?? "null")" }.joined(separator: ",")
    }

    /// A comment as TMF642 has it.
    private struct Shown: Encodable {
        let userId: String
        let systemId: String?
        let time, comment: String

        init(_ comment: Comment) {
            (userId, systemId, self.comment) = (comment.contact, comment.system, comment.text)
            time = Timestamp.text(comment.at)
        }
    }
}
