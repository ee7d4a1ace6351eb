public import Channels
public import Models

/// Whom a tenant calls about an alarm that nobody takes, step by step.
public struct Escalation: Sendable, Equatable {
    public enum Target: Sendable, Hashable {
        /// By their own channels.
        case contacts([String])
        /// Whoever a schedule says at that moment.
        case schedule(String)
        /// A channel, whoever reads it.
        case channel(String)
    }

    public struct Step: Sendable, Hashable {
        /// After the step before, or after the alarm was raised, milliseconds.
        public let wait: UnixMilliseconds
        public let target: Target
    }

    public let id: String
    public let tenant: String
    /// Which alarms it is for.
    public let filter: ChannelFilter
    /// In their order; one at least.
    public let steps: [Step]
}
