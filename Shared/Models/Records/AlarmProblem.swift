/// Stored values of one column that mean something to a programme.
public struct ColumnCondition: Sendable, Hashable {
    /// Number of the column.
    public let column: UInt8
    /// In stored units.
    public let values: ClosedRange<Int64>

    public init(_ column: UInt8, _ values: ClosedRange<Int64>) {
        self.column = column
        self.values = values
    }

    /// A column that has one value.
    public init(_ column: UInt8, is value: Int64) { self.init(column, value...value) }
}

/// Something that a record can report: which records do, how bad it is, and how its alarm is told.
///
/// A record that reports a problem is urgent: it travels on `realtime`. If the problem ``raisesAlone``, it counts in an alarm.
public struct AlarmProblem: Sendable, Hashable {
    /// Number in the router's database; one list for all programmes, never reused. QoE and the platform have those up to 63.
    public let number: Int64
    /// Name of the rule that raises the alarm: `urgent.call_drop`.
    public let rule: String
    public let severity: Severity
    /// `alarmType` of TMF642 (ITU-T X.733 event type).
    public let type: String
    /// `probableCause` of TMF642.
    public let cause: String
    /// `specificProblem` of TMF642, for people, in English. Like all texts here it needs no escaping in JSON.
    public let text: String
    /// The same in French.
    public let french: String
    /// How long after its capture a record may be received to count in an alarm, milliseconds. What is told later is stored and
    /// counted elsewhere, but it is no news.
    public let lateness: Int64
    /// One record is enough for an alarm. Of other problems rules raise alarms, when several devices report them.
    public let raisesAlone: Bool
    /// A record that meets one of them reports the problem.
    public let conditions: [ColumnCondition]

    public init(
        _ number: Int64, rule: String, severity: Severity, type: String, cause: String, text: String, french: String,
        lateness: Int64 = 120_000, raisesAlone: Bool = true, when conditions: [ColumnCondition]
    ) {
        self.number = number
        self.rule = rule
        self.severity = severity
        self.type = type
        self.cause = cause
        self.text = text
        self.french = french
        self.lateness = lateness
        self.raisesAlone = raisesAlone
        self.conditions = conditions
    }

    /// True if a row reports it.
    ///
    /// - Parameter value: the stored value of a column of the row; nil if it has none.
    @inlinable
    public func isReported(_ value: (_ column: UInt8) -> Int64?) -> Bool {
        conditions.contains { condition in value(condition.column).map(condition.values.contains) ?? false }
    }
}

/// Perceived severity of an alarm (ITU-T X.733).
public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
    case cleared, indeterminate, warning, minor, major, critical

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
