/// What came of one life of the reward dispatcher.
struct RewardOutcome: Sendable {
    /// How often it was killed: every second time when the provider had just paid, otherwise at random.
    var kills = 0
    /// Payments that the provider had made and the dispatcher had not heard of when it was killed.
    var unheard = 0
    /// Grants that were paid in the end.
    var grants = 0
    /// What must not be, and was.
    var faults: [String] = []
}
