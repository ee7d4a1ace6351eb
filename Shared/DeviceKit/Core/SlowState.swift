internal import QoE

/// What the kit knows and what changes a few times a day at most: in a row of its own, so that an event does not write it again.
struct SlowState: Codable, Sendable, Equatable {
    /// The prompt policy as the service told it, with medians.
    var policy: PhonePolicy?
    /// How often the service wants to be told.
    var sampling: SamplingRules?
    /// Prompts that were shown, the newest at the end.
    var prompts: [DeviceState.ShownPrompt] = []
}
