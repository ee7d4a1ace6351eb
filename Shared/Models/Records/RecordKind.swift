/// A kind of record that travels on lanes: a number, a version, and its columns.
///
/// Kinds that phones send belong to a ``Programme``, the others to the platform. Nothing in `Wire`, `Lanes`,
/// `Storage` or `ServiceKit` knows a kind by name.
public struct RecordKind: Sendable, Hashable {
    /// Number on the wire, never reused.
    public let id: UInt8
    /// Name in recordings, logs and messages.
    public let name: String
    /// Rises when a reader of the version before could misunderstand; readers refuse a version above their own. A new optional
    /// column does not raise it; a changed meaning or unit does.
    public let version: UInt8
    /// Columns a client may send, in the order of CSV headers.
    public let fields: [Field]
    /// Columns the system adds.
    public let serverFields: [Field]
    /// Columns without which a record of the kind says nothing, beside who says it and when.
    public let required: [UInt8]
    /// Other names of columns in JSON and CSV, with what can be written under them; the column's own name stands above them.
    public let spellings: [Field]
    /// What is plausible beyond the ranges of fields.
    public let plausibility: Plausibility
    /// What makes a record urgent, worst first; empty if none ever is.
    public let problems: [AlarmProblem]
    /// Columns that are removed unless the subscriber consented.
    public let consents: [ColumnConsent]
    /// Records are states that follow each other: however many a device sends, all that are urgent travel on `realtime`.
    public let keepsOrder: Bool

    public init(
        id: UInt8, name: String, version: UInt8, fields: [Field], serverFields: [Field] = [], required: [UInt8] = [],
        spellings: [Field] = [], plausibility: Plausibility = Plausibility(), problems: [AlarmProblem] = [],
        consents: [ColumnConsent] = [], keepsOrder: Bool = false
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.fields = fields
        self.serverFields = serverFields
        self.required = required
        self.spellings = spellings
        self.plausibility = plausibility
        self.problems = problems
        self.consents = consents
        self.keepsOrder = keepsOrder
    }

    /// What a row reports: the worst of its problems; nil if it is not urgent.
    ///
    /// - Parameter value: the stored value of a column of the row; nil if it has none.
    @inlinable
    public func problem(_ value: (_ column: UInt8) -> Int64?) -> AlarmProblem? {
        problems.first { $0.isReported(value) }
    }

    /// The columns of the kind that ``problem(_:)`` looks at, ascending.
    public var problemColumns: [UInt8] {
        Set(problems.flatMap(\.conditions).map(\.column).filter { field($0) != nil }).sorted()
    }

    /// The field of a column number, if the kind has it.
    public func field(_ column: UInt8) -> Field? {
        fields.first { $0.column == column } ?? serverFields.first { $0.column == column }
    }

    /// The field of that name, if a client may send it.
    public func field(named name: String) -> Field? { fields.first { $0.name == name } }

    /// The kinds that belong to no programme: what services tell each other.
    public static let platform: [RecordKind] = [
        cell, alarm, alarmCommand, alarmTask, alarmHandling, campaign, grant, balance, progress, providerState,
        rewardDecision, standing, nickname, providerCallback, callbackSecret, campaignDay, tenant, contact, rule,
        promptPolicy,
        consent, auditHead, endpoint,
        contribution, payout, payoutKey, erasureRequest, erasureOrder, erasureSubject, erasureReceipt,
        verificationKey, retentionOrder, retentionReport, accessRequest, accessOrder, accessPart, channel, delivery,
        channelKey, schedule, escalation, maintenance, site, sensor, door, doorKey, siteCommand, siteTask, doorOrder,
        sensorState, contactAct, loginCode, push, pushPrompt, release, releaseAtom, releaseRound,
    ]

    /// The kind of the platform that has a number; nil for kinds of programmes and unknown ones.
    public static func platform(_ number: UInt8) -> RecordKind? { byNumber[number] }

    private static let byNumber = Dictionary(uniqueKeysWithValues: platform.map { ($0.id, $0) })
}
