/// Which feedback is rewarded: told everything in the order in which the dispatcher heard it.
public struct ReferenceRewards: Sendable {
    /// A grant there must be, one for a feedback.
    public struct Grant: Sendable, Equatable {
        public let device: Int
        /// The feedback's UUID.
        public let record: String
        public let campaign: String
        /// Whole XAF.
        public let amount: Int
        /// Local day of the feedback's acceptance, days since 1970.
        public let day: Int
    }

    private let zoneOffset: Int
    private let builtIn: ReferenceCampaign
    private let trust: ReferenceTrustPolicy
    private var announced: [String: ReferenceCampaign?] = [:]
    private var heard: Set<String> = []

    /// Feedback that was one too many on its day.
    public private(set) var beyondMaximum = 0
    /// Feedback of devices that cannot be trusted.
    public private(set) var untrusted = 0
    /// All grants in the order in which they came to be.
    public private(set) var grants: [Grant] = []

    /// - Parameters:
    ///   - builtIn: in force until the first campaign is announced.
    ///   - zoneOffset: seconds that local time is ahead of UTC.
    ///   - trust: whose feedback is rewarded.
    public init(builtIn: ReferenceCampaign, zoneOffset: Int = 3600, trust: ReferenceTrustPolicy = .any) {
        self.trust = trust
        self.builtIn = builtIn
        self.zoneOffset = zoneOffset
    }

    /// A campaign is announced, or called off (nil).
    public mutating func hear(_ campaign: ReferenceCampaign?, id: String) {
        announced[id] = .some(campaign)
    }

    /// A feedback is heard of.
    public mutating func hear(_ row: ReferenceRow) {
        guard row.kind == "feedback", heard.insert("\(row.device) \(row.id)").inserted else { return }
        guard row.purposes.contains("rewards"), row.stored["mock_location"] != 1 else { return }
        guard trust.counts(row) else { return untrusted += 1 }
        let campaigns = announced.isEmpty ? [builtIn] : announced.values.compactMap { $0 }
        let fitting = campaigns.filter { $0.isActive && ($0.networks.isEmpty || $0.networks.contains(row.sim)) }
        guard let campaign = fitting.min(by: { $0.id < $1.id }) else { return }
        let day = (row.receivedAt / 1000 + zoneOffset) / 86_400
        let others = grants.filter { $0.device == row.device && $0.campaign == campaign.id && $0.day == day }
        guard campaign.dailyMaximum == 0 || others.count < campaign.dailyMaximum else { return beyondMaximum += 1 }
        grants.append(
            Grant(device: row.device, record: row.id, campaign: campaign.id, amount: campaign.amount, day: day))
    }
}
