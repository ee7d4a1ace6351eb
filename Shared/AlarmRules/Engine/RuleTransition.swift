public import Models

/// What became of an episode: the time from when a rule finds something wrong with a subject until it finds that no longer.
///
/// Everything but ``Change/revised`` is worth telling. Applying one twice changes nothing: each says how the episode is now.
public struct RuleTransition: Sendable, Hashable {
    public enum Change: String, Sendable {
        case raised
        /// It is more severe.
        case worse
        /// Counts or times are other ones; nobody is told.
        case revised
        case cleared
        /// The rule that found it is there no longer, or looks at greater cells.
        case withdrawn
    }

    public let rule: String
    public let owner: Scope
    public let subject: RuleSubject
    /// From 1, one higher with each of the same rule, owner and subject.
    public let episode: Int64
    public let change: Change
    public let severity: Severity
    /// The minute whose rows raised it, of event time.
    public let raisedAt: UnixMilliseconds
    /// The minute at whose end it was found over; nil while it is not.
    public let clearedAt: UnixMilliseconds?
    /// Devices whose rows count in it.
    public let devices: Int
    /// True if not all devices fitted in a window: there are more than ``devices``.
    public let isSampled: Bool
    /// True if a row changed it that came later than the rule waits.
    public let isLate: Bool
    /// The episode of the storm's parent that it is a child of; nil if of none.
    public let parent: Int64?
    /// Of a parent the most alarms at a time that lie in its cell; 0 for an alarm that is none.
    public let children: Int
    /// Of a parent that is raised the first of them, at most ``mostNamed``; else none.
    public let named: [Child]

    /// An alarm of ``childRule`` and the same owner.
    public struct Child: Sendable, Hashable {
        public let subject: RuleSubject
        public let episode: Int64
    }

    /// Most children that a transition names.
    public static let mostNamed = 32

    /// Whether it is about the parent of a storm.
    public var isParent: Bool { rule.hasPrefix(Storm.prefix) }

    /// The name of the rule whose alarms lie together in it; of an alarm that is no parent that of its own.
    public var childRule: String { Self.childRule(of: rule) }

    /// The same of a rule by its name.
    public static func childRule(of rule: String) -> String {
        rule.hasPrefix(Storm.prefix) ? String(rule.dropFirst(Storm.prefix.count)) : rule
    }

    /// The name of the rule of a storm's parents.
    public static func parentRule(_ rule: String) -> String { Storm.prefix + rule }

    /// Level of the cells of storms' parents.
    public static let parentLevel = Storm.level
}

/// How many devices count in a rule's alarm, as everybody but a regulator's subscriber is told.
public enum DeviceBand {
    private static let begins: [Int64] = [1, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

    /// The lower end: 1 for fewer than 5, 5 for fewer than 10.
    public static func begin(of devices: Int64) -> Int64 { begins.last { $0 <= devices } ?? devices }
}
