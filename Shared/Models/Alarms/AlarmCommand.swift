extension RecordKind {
    /// What a contact wants done to an alarm, on the `operations` lane: ``AlarmCommand``, keyed by its task. Without document: the
    /// router has answered it.
    public static let alarmCommand = RecordKind(
        id: 40, name: "alarm_command", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// What became of a command, on the `alerts` lane: ``AlarmTask``, keyed by the command's task. Without document: forgotten.
    public static let alarmTask = RecordKind(
        id: 41, name: "alarm_task", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// What the contacts of one tenant have done about an alarm, on the `alerts` lane: ``AlarmHandling``, keyed by alarm and tenant.
    /// Without document: the alarm is gone.
    public static let alarmHandling = RecordKind(
        id: 42, name: "alarm_handling", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 192)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// What a contact wants done to an alarm. The exporter has authenticated the contact; the router alone decides.
public struct AlarmCommand: Codable, Sendable, Equatable {
    public enum Act: String, Codable, Sendable, CaseIterable {
        /// Says that somebody looks after it, and becomes its owner.
        case acknowledge
        /// Takes that back.
        case unacknowledge
        /// Offers the alarm to another contact of the tenant; whoever has it keeps it until that one accepts.
        case offer
        /// Takes over what was offered.
        case accept
        /// Leaves it with whoever has it.
        case decline
        case comment
        /// Puts it under another alarm.
        case group
        /// Takes it out of the group again.
        case ungroup
        /// Hides it from channels, sounds and the page's list for a time.
        case shelve
        case unshelve
        /// Ends it by hand.
        case clear
        /// Says whether it was useful to be told.
        case rate
        /// Calls the next of an escalation: the router's own act, which nobody commands.
        case escalate

        /// What contacts may command.
        public static let ofContacts = allCases.filter { $0 != .escalate }
    }

    /// Names the command; the same command told twice is carried out once.
    public var task: String
    public var alarm: String
    public var act: Act
    public var tenant: String
    public var contact: String
    /// The contact's system, if it named one.
    public var system: String?
    /// When the exporter took it.
    public var at: UnixMilliseconds
    /// The handling's version that the contact saw; nil: whichever it is.
    public var version: Int64?
    /// Until when it is acknowledged or shelved.
    public var until: UnixMilliseconds?
    /// To whom it is offered, or who is called.
    public var to: String?
    /// Under which alarm it is put.
    public var parent: String?
    /// A comment, a note with an offer, the reason of shelving; of a call its step.
    public var text: String?
    public var isUseful: Bool?

    public init(
        task: String, alarm: String, act: Act, tenant: String, contact: String, system: String? = nil,
        at: UnixMilliseconds, version: Int64? = nil, until: UnixMilliseconds? = nil, to: String? = nil,
        parent: String? = nil, text: String? = nil, isUseful: Bool? = nil
    ) {
        self.task = task
        self.alarm = alarm
        self.act = act
        self.tenant = tenant
        self.contact = contact
        self.system = system
        self.at = at
        self.version = version
        self.until = until
        self.to = to
        self.parent = parent
        self.text = text
        self.isUseful = isUseful
    }

    enum CodingKeys: String, CodingKey {
        case task, alarm, act, tenant, contact, system, version, to, parent, text
        case at = "at_ms"
        case until = "until_ms"
        case isUseful = "useful"
    }
}

/// What became of a command.
public struct AlarmTask: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable { case pending, done, failed }

    /// The command that it is about.
    public var command: AlarmCommand
    public var state: State
    /// Why it failed: a word for programs, as `alarm_cleared`.
    public var code: String?
    /// The same for people.
    public var reason: String?
    /// When it was decided; nil while it is pending.
    public var decidedAt: UnixMilliseconds?
    /// The handling's version afterwards.
    public var version: Int64?

    public init(
        command: AlarmCommand, state: State, code: String? = nil, reason: String? = nil,
        decidedAt: UnixMilliseconds? = nil, version: Int64? = nil
    ) {
        self.command = command
        self.state = state
        self.code = code
        self.reason = reason
        self.decidedAt = decidedAt
        self.version = version
    }

    enum CodingKeys: String, CodingKey {
        case command, state, code, reason, version
        case decidedAt = "decided_at_ms"
    }
}
