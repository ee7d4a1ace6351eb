internal import Models
internal import QoE

/// How many prompts came to what.
struct EngagementCounts: Equatable {
    var shown: Int64 = 0
    var answered: Int64 = 0
    var ignored: Int64 = 0
    var dismissed: Int64 = 0

    mutating func count(_ outcome: PromptOutcome) {
        switch outcome {
        case .shown: shown += 1
        case .answered: answered += 1
        case .ignored: ignored += 1
        case .dismissed: dismissed += 1
        }
    }

    static func += (one: inout EngagementCounts, other: EngagementCounts) {
        one.shown += other.shown
        one.answered += other.answered
        one.ignored += other.ignored
        one.dismissed += other.dismissed
    }
}
