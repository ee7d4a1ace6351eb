public import Models

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
