public import Models

/// A rule, ready to run. Times are minutes, thresholds as the document says them.
public struct AlarmRule: Sendable, Hashable {
    /// Its name, which is part of the keys of its alarms.
    public let id: String
    public let kind: RuleKind
    /// Numbers of the kinds whose rows count.
    public let recordKinds: [UInt8]
    /// Nil where rows count whatever they say: of silence.
    public let metric: RuleMetric?
    public let window, holdSet, holdClear: Int32
    public let set, clear: Double
    /// Fewest devices that say anything of a share, a mean or what is usual.
    package let leastDevices: Int
    /// Weeks, or hours, of which a baseline must be known.
    package let leastBaseline: Int
    /// Milliseconds that a row may come late and still raise or clear an alarm.
    public let lateness: UnixMilliseconds
    public let subject: RuleSubjectScheme
    public let scope: RuleScope
    public let zone: LocalZone
    public let severities: [SeverityStep]
    public let text: RuleText
    /// The same for rules that decide the same; names and texts aside.
    public let fingerprint: UInt64

    /// Columns that it looks at.
    public var columns: [UInt8] { metric.map { [$0.column] } ?? [] }
    /// Scheme of its alarms' owners: `plmn`.
    public let ownerScheme: String
}

/// What alarms of a rule are about.
public enum RuleSubjectScheme: Sendable, Hashable {
    /// Cells of a level; of level 0 all that an owner has, placed or not.
    case cells(level: Int)
    /// Things with a number, of a scheme such as `gauge`.
    case numbers(scheme: String)

    /// As keys of alarms have it.
    public var name: String {
        switch self {
        case .cells: "cell"
        case .numbers(let scheme): scheme
        }
    }
}

/// Which rows a rule looks at.
public struct RuleScope: Sendable, Hashable {
    /// Numbers of the owners within their scheme; nil for all.
    public let owners: Set<Int64>?
    /// Strata of the programme, by bit; of mobile networks their technologies.
    public let strata: UInt64
    public let place: RulePlace
    public let hours: LocalHours?
}

/// How alarms of a rule are told.
public struct RuleText: Sendable, Hashable {
    /// `alarmType` of TMF642.
    public let type: String
    /// `probableCause` of TMF642.
    public let cause: String
    /// `specificProblem` of TMF642, for people.
    public let text: String
    /// The same in French, where it is given.
    public let french: String?

    /// ITU-T X.733 and X.736 event types.
    public static let types = [
        "qualityOfServiceAlarm", "communicationsAlarm", "equipmentAlarm", "environmentalAlarm", "processingErrorAlarm",
        "securityService", "physicalViolation", "timeDomainViolation", "operationalViolation", "integrityViolation",
    ]
    /// Probable causes that Nkul uses.
    public static let causes = [
        "lossOfSignal", "degradedSignal", "congestion", "callEstablishmentError", "bandwidthReduced",
        "responseTimeExcessive", "performanceDegraded", "thresholdCrossed", "retransmissionRateExcessive",
    ]
}
