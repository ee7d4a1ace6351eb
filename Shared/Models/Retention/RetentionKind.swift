/// A kind of data that is kept for so many days and then deleted.
public enum RetentionKind: String, Sendable, CaseIterable, Codable {
    /// Day files of raw rows, at the exporter.
    case rawRows = "raw_rows"
    /// Open rows, by which records count in statistics until their buckets are sealed, at the aggregator.
    case openRows = "open_rows"
    /// Texts of receipts of uploads, at ingest.
    case receipts
    /// Who failed to prove who they are, at ingest and the exporter.
    case failedAuthentications = "failed_authentications"
    /// Blocks of event lanes, at ingest. They are trimmed as readers go on; here only their age is looked at.
    case journals
    /// Which devices helped to raise which alarms, at the router and in ingest's copies.
    case contributions
    /// Alarms that nothing happened to any more, at the router.
    case alarms
    /// Whose reward a settled one was and for which feedback, at the dispatcher.
    case rewardLinks = "reward_links"
    /// Rewards and entries of the ledger that are nobody's any more, at the dispatcher.
    case ledger
    /// What operators must delete from their copies, at the exporter.
    case erasureNotices = "erasure_notices"
    /// Consents that newer ones have taken the place of, at the privacy worker.
    case consents

    /// How long it is kept, and by whom.
    public var rule: RetentionRule {
        switch self {
        case .rawRows: RetentionRule(30, in: 1...3_650, at: "analytics-exporter")
        // Records are accepted for 8 days; a day later their buckets are sealed.
        case .openRows: RetentionRule(9, in: 9...9, at: "batch-aggregator")
        // A reply that is asked for again is given word for word for 8 days.
        case .receipts: RetentionRule(8, in: 8...8, at: "ingest")
        case .failedAuthentications: RetentionRule(30, in: 1...30, at: "ingest", "analytics-exporter")
        case .journals: RetentionRule(7, in: 1...365, at: "ingest")
        case .contributions: RetentionRule(365, in: 30...3_650, at: "alert-router", "ingest")
        case .alarms: RetentionRule(365, in: 30...3_650, at: "alert-router")
        case .rewardLinks: RetentionRule(365, in: 30...3_650, at: "reward-dispatcher")
        case .ledger: RetentionRule(3_650, in: 365...36_500, at: "reward-dispatcher")
        case .erasureNotices: RetentionRule(365, in: 30...3_650, at: "analytics-exporter")
        case .consents: RetentionRule(3_650, in: 365...36_500, at: "privacy-worker")
        }
    }

    /// Every service that keeps any of the kinds, by the names of their programs without `nkul-`.
    public static let keepers: Set<String> = Set(allCases.flatMap(\.rule.keepers))
}

/// How long a kind of data may be kept, and by which services.
public struct RetentionRule: Sendable, Equatable {
    /// Days, unless the settings say otherwise.
    public let days: Int
    /// What the settings may say, days; nothing younger than the lower bound is ever deleted.
    public let range: ClosedRange<Int>
    /// Services that keep it, by the names of their programs without `nkul-`.
    public let keepers: [String]

    init(_ days: Int, in range: ClosedRange<Int>, at keepers: String...) {
        self.days = days
        self.range = range
        self.keepers = keepers
    }

    /// True if no setting changes the days.
    public var isFixed: Bool { range.count == 1 }
}
