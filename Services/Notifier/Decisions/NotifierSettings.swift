internal import Channels
internal import Models

/// What decides about deliveries, as values.
struct NotifierSettings: Sendable {
    /// Where channels may be told.
    var policy = AddressPolicy()
    var schedule = RetrySchedule()
    /// Calls at the same time; one of a channel.
    var callsAtOnce = 16
    /// Deliveries of a channel that may wait; of more, alarms are not told to it.
    var mostWaiting = 10_000
    /// How long, and how many, deliveries that have ended are kept.
    var keep: UnixMilliseconds = 30 * 86_400_000
    var mostEnded: Int64 = 100_000
    /// Channels that are used; further ones are refused.
    var mostChannels = 1_000
}
