internal import Models
internal import QoE

/// What outcomes of prompts are counted by.
struct EngagementKey: Hashable, Comparable {
    /// Local day since 1970 on which the outcome was captured.
    var day: Int64
    /// The policy in force on the phone, as the phone says it.
    var policyVersion: String
    /// Nil: the phone did not say, or its subscriber does not allow to.
    var rule: PromptRule?
    /// Of the SIM.
    var plmn: PLMN

    /// Where outcomes are counted that are too many kinds of to keep apart.
    static func other(_ day: Int64) -> EngagementKey {
        EngagementKey(day: day, policyVersion: "other", rule: nil, plmn: .unknown)
    }

    /// What stands in the database for a rule.
    var ruleCode: Int64 { rule?.rawValue ?? -1 }

    static func < (one: EngagementKey, other: EngagementKey) -> Bool {
        (one.day, one.policyVersion, one.ruleCode, one.plmn)
            < (other.day, other.policyVersion, other.ruleCode, other.plmn)
    }
}
