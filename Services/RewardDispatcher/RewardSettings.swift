public import Models

/// What decides about grants and payments, as values.
public struct RewardSettings: Sendable {
    /// In force until the first campaign comes by the `operations` lane; nil for none.
    public var builtIn: CampaignDocument?
    public var schedule: PaymentSchedule
    /// Calls to the provider at the same time.
    public var callsAtOnce: Int
    /// Calls to the provider in a second; 0 is without limit.
    public var callsPerSecond: Int
    /// Calls in a row without a useful answer, after which the provider is left alone for a while; 0 is never.
    public var breaker: Int
    /// True if a grant waits until its device has said where rewards go.
    public var needsNumber: Bool
    /// Whose local days the daily maximum counts.
    public var timeZone: String
    /// Devices to whom one payout number may pay.
    public var devicesOfANumber: Int
    /// Least time between two orders to pay to one number.
    public var numberGap: UnixMilliseconds
    /// Whose feedback is rewarded.
    public var trust: TrustPolicy
    /// True if grants wait for a person when something is odd about their records.
    public var holdsSuspected = false
    /// From a change until standings are told anew.
    public var standingsPause: UnixMilliseconds = 60_000

    public init(
        builtIn: CampaignDocument?, schedule: PaymentSchedule, callsAtOnce: Int, timeZone: String,
        devicesOfANumber: Int = 3, numberGap: UnixMilliseconds = 120_000, trust: TrustPolicy = .any,
        callsPerSecond: Int = 0, breaker: Int = 0, needsNumber: Bool = false
    ) {
        self.trust = trust
        self.builtIn = builtIn
        self.schedule = schedule
        self.callsAtOnce = callsAtOnce
        self.callsPerSecond = callsPerSecond
        self.breaker = breaker
        self.needsNumber = needsNumber
        self.timeZone = timeZone
        self.devicesOfANumber = devicesOfANumber
        self.numberGap = numberGap
    }

    /// The rules in force.
    ///
    /// - Parameter campaigns: those of the lane, nil if none has ever come.
    func rules(_ campaigns: [CampaignDocument]?) -> GrantRules {
        GrantRules(campaigns ?? (builtIn.map { [$0] } ?? []), timeZone: timeZone, trust: trust)
    }
}
