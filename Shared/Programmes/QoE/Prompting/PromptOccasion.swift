public import Models

/// Something that happened on a phone and may be a reason to ask.
public enum PromptOccasion: Sendable, Equatable {
    /// A call dropped, the last of so many: times of all that the phone remembers, this one included.
    case callDrops([UnixMilliseconds])
    /// A download was measured; the median of the cell if the phone knows it.
    case download(kbps: Int64, median: Int64?)
    /// There was no service for so long.
    case noService(seconds: Int64)
    /// The subscriber said that it is an emergency, or the phone knows.
    case emergency
    /// An alarm that its reports helped to raise was raised, or is over: it has passed the thresholds of alarms, so that none is
    /// asked of it here. It is of that rule, and an emergency is no exception.
    case alarm(PromptRule)

    /// The rule it falls under.
    public var rule: PromptRule {
        switch self {
        case .callDrops: .callDrop
        case .download: .slowSpeed
        case .noService: .noService
        case .emergency: .emergency
        case .alarm(let rule): rule
        }
    }
}

/// A prompt that a phone has shown.
public struct PastPrompt: Sendable, Equatable {
    public var shownAt: UnixMilliseconds
    public var rule: PromptRule
    /// Nil while the subscriber has it before the eyes.
    public var outcome: PromptOutcome?

    public init(shownAt: UnixMilliseconds, rule: PromptRule, outcome: PromptOutcome?) {
        self.shownAt = shownAt
        self.rule = rule
        self.outcome = outcome
    }

    /// True if the subscriber did not want it.
    var isUnwanted: Bool { outcome == .ignored || outcome == .dismissed }
}
