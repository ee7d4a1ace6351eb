public import Models

/// What decides about grants and payments, as values.
public struct RewardSettings: Sendable {
    /// In force until the first campaign comes by the `operations` lane; nil for none.
    public var builtIn: CampaignDocument?
    public var schedule: PaymentSchedule
    /// Calls to the provider at the same time.
    public var callsAtOnce: Int
    /// Whose local days the daily maximum counts.
    public var timeZone: String
    /// Devices to whom one payout number may pay.
    public var devicesOfANumber: Int
    /// Whose feedback is rewarded.
    public var trust: TrustPolicy

    public init(
        builtIn: CampaignDocument?, schedule: PaymentSchedule, callsAtOnce: Int, timeZone: String,
        devicesOfANumber: Int = 3, trust: TrustPolicy = .any
    ) {
        self.trust = trust
        self.builtIn = builtIn
        self.schedule = schedule
        self.callsAtOnce = callsAtOnce
        self.timeZone = timeZone
        self.devicesOfANumber = devicesOfANumber
    }

    /// The rules in force.
    ///
    /// - Parameter campaigns: those of the lane, nil if none has ever come.
    func rules(_ campaigns: [CampaignDocument]?) -> GrantRules {
        GrantRules(campaigns ?? (builtIn.map { [$0] } ?? []), timeZone: timeZone, trust: trust)
    }
}
