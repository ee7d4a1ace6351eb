public import Models

/// Whether a phone asks now, and if not, why.
public enum PromptDecision: Sendable, Equatable {
    case prompt(PromptRule)
    /// The policy does not have the rule.
    case ruleIsOff
    /// What happened is not bad enough.
    case underThreshold
    /// Nobody knows what is usual at the place, and the policy does not say what to do then.
    case noMedian
    case quietHours
    case dailyMaximum
    /// Not before this time.
    case pause(until: UnixMilliseconds)
}
