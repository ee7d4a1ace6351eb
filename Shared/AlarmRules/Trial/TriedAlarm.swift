public import Models

/// An alarm that rules find in rows of the past.
public struct TriedAlarm: Sendable, Hashable {
    /// That of a storm's parent begins as ``RuleTransition/parentRule(_:)`` says.
    public let rule: String
    public let owner: Scope
    public let subject: RuleSubject
    /// From 1, one higher with each of the same rule, owner and subject.
    public let episode: Int64
    public internal(set) var severity: Severity
    /// By event time.
    public internal(set) var raisedAt: UnixMilliseconds
    /// When it was told, by the time at which rows were received.
    public let toldAt: UnixMilliseconds
    /// By event time; nil while it is not over.
    public internal(set) var clearedAt: UnixMilliseconds?
    /// Devices whose rows count in it.
    public internal(set) var devices: Int
    /// True if there are more devices than ``devices``.
    public internal(set) var isSampled: Bool
    /// The episode of the storm's parent that it is a child of; nil if of none.
    public internal(set) var parent: Int64?
    /// Of a storm's parent the most children at a time; 0 of any other alarm.
    public internal(set) var children: Int

    /// An alarm as somebody tells it.
    public init(
        rule: String, owner: Scope, subject: RuleSubject, episode: Int64, severity: Severity,
        raisedAt: UnixMilliseconds, toldAt: UnixMilliseconds, clearedAt: UnixMilliseconds?, devices: Int,
        isSampled: Bool, parent: Int64?, children: Int
    ) {
        self.rule = rule
        self.owner = owner
        self.subject = subject
        self.episode = episode
        self.severity = severity
        self.raisedAt = raisedAt
        self.toldAt = toldAt
        self.clearedAt = clearedAt
        self.devices = devices
        self.isSampled = isSampled
        self.parent = parent
        self.children = children
    }

    init(_ found: RuleTransition, toldAt: UnixMilliseconds) {
        self.init(
            rule: found.rule, owner: found.owner, subject: found.subject, episode: found.episode,
            severity: found.severity, raisedAt: found.raisedAt, toldAt: toldAt, clearedAt: found.clearedAt,
            devices: found.devices, isSampled: found.isSampled, parent: found.parent, children: found.children)
    }

    /// Takes over how its episode is.
    mutating func apply(_ found: RuleTransition) {
        severity = found.severity
        raisedAt = found.raisedAt
        clearedAt = found.clearedAt
        devices = found.devices
        isSampled = found.isSampled
        parent = found.parent
        children = max(children, found.children)
    }

    /// Whether it is about the same as another one, while that goes on.
    public func meets(_ other: TriedAlarm) -> Bool {
        owner == other.owner && subject == other.subject && (children > 0) == (other.children > 0)
            && raisedAt <= other.clearedAt ?? .max && other.raisedAt <= clearedAt ?? .max
    }
}
