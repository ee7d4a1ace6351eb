public import Models

/// What one commit did, for figures and logs.
public struct RewardReport: Sendable {
    public var granted = 0
    public var refusals: [GrantRefusal: Int] = [:]
    /// The states that grants came to, one for each change.
    public var changed: [GrantState] = []
    /// Answers of the provider.
    public var answers: [(call: ProviderCall, answer: ProviderAnswer)] = []
    public var unusableCampaigns = 0
    /// Payout numbers that were taken, were withdrawn, could not be opened.
    public var payoutsKept = 0
    public var payoutsRemoved = 0
    public var unreadablePayouts = 0
    /// Callbacks of the provider that came by the edge, by outcome.
    var callbacks: [CallbackBook.Outcome: Int] = [:]
    /// Names for standings that are none.
    public var unreadableNicknames = 0
    /// Grants that were due and are held, as too many devices share their number.
    public var held = 0
    /// Grants that were due and wait, as their device has not said where rewards go.
    public var unaddressed = 0
    /// True while the provider is left alone, as it does not answer; nil if nobody looked.
    public var isProviderSilent: Bool?
    /// True while orders wait, as nothing was left to pay from; nil if nobody looked.
    public var isProviderUnfunded: Bool?
    /// Grants that were due and wait for that.
    public var unfunded = 0
    /// Grants that are held as something is odd about their records.
    public var suspected: [Suspicion: Int] = [:]
    /// What persons decided, and whether it could be booked.
    public var decisions: [(result: String, isBooked: Bool)] = []
    /// Grants that were due and wait, as their number was paid to a moment ago.
    public var paced = 0
    /// What the provider has said that cannot both be true.
    public var contradictions: [(grant: GrantID, what: String)] = []
    /// Grants in a state that is not final.
    public var open: [GrantState: Int64]?
    /// Those of them whose subject is erased.
    public var erasedOpen: Int64?
    /// Calls on the way.
    public var inFlight = 0

    mutating func refused(_ reason: GrantRefusal) { refusals[reason, default: 0] += 1 }

    mutating func count(_ hold: PayoutBook.Hold) {
        switch hold {
        case .shared: held += 1
        case .paced: paced += 1
        case .unaddressed: unaddressed += 1
        }
    }

    mutating func count(_ call: ProviderCall, _ answer: ProviderAnswer) { answers.append((call, answer)) }
}
