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

    public init(builtIn: CampaignDocument?, schedule: PaymentSchedule, callsAtOnce: Int, timeZone: String) {
        self.builtIn = builtIn
        self.schedule = schedule
        self.callsAtOnce = callsAtOnce
        self.timeZone = timeZone
    }

    /// The rules in force.
    ///
    /// - Parameter campaigns: those of the lane, nil if none has ever come.
    func rules(_ campaigns: [CampaignDocument]?) -> GrantRules {
        GrantRules(campaigns ?? (builtIn.map { [$0] } ?? []), timeZone: timeZone)
    }
}
