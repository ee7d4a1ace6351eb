public import Models

/// One alarm: what is known of it, and what has been told.
public struct Alarm: Sendable, Equatable {
    /// The same for the same rows (``AlarmKey/id(raisedAt:)``).
    public let id: String
    public let key: AlarmKey
    public var severity: Severity
    /// The worst that was reported; of equally bad ones the first.
    public var problem: AlarmProblem
    /// When the first record was received; of a rule the minute whose rows raised it, which later evidence may move.
    public internal(set) var raisedAt: UnixMilliseconds
    /// When the last record was received, also one that came when the alarm was over.
    public var changedAt: UnixMilliseconds
    /// When it was over; nil while it is not.
    public var clearedAt: UnixMilliseconds?
    /// Records counted; of late erasures, how many there are.
    public var records: Int64
    /// Distinct devices among them.
    public var devices: Int64
    /// When subscribers were last told.
    public var publishedAt: UnixMilliseconds
    /// When subscribers will be told what changed since; nil if they know all.
    public var dueAt: UnixMilliseconds?

    /// The storm's parent, or the flood, that it is a child of; nil if of none.
    public internal(set) var parent: String?
    /// Of a storm's parent the most children at a time, of a flood all so far; and the first of them.
    public internal(set) var childCount: Int64 = 0
    public internal(set) var children: [String] = []

    /// The alarm that is its cause and speaks for it; nil if none does.
    public internal(set) var suppressedBy: String?
    /// Whether it is raised so often that it stays open until it was quiet for an hour.
    public internal(set) var isFlapping = false
    /// How the sensor is that it is about, as JSON; nil if it is about none.
    var reading: String?

    /// Most children that a parent's document names.
    static let mostNamed = 32

    /// Whether another alarm tells of it: its storm's, or its cause.
    var isSpokenFor: Bool { parent != nil || suppressedBy != nil }

    public var topic: String { key.topic(severity) }
}
