internal import Models
internal import NotifierMessages

/// How each channel's calls are going: one at a time, so many in a minute, none while it fails. Pure, in memory only: after a
/// restart what was on the way is sent again.
struct ChannelFlow {
    /// A call that is not answered.
    struct Call {
        let channel: String
        /// The severity of the alarm as the call tells it, by delivery; nil of a one-time code.
        let deliveries: [(id: String, severity: Severity?)]
    }

    /// Longest time for which one failure holds up a channel.
    static let longestRest: UnixMilliseconds = 60_000

    private(set) var underWay: [UInt64: Call] = [:]
    private var busy: Set<String> = []
    private var paces: [String: ChannelPace] = [:]
    private var rests: [String: UnixMilliseconds] = [:]
    private var last: UInt64 = 0

    /// When a channel may be called next; nil while a call of it is under way.
    ///
    /// - Parameters:
    ///   - now: the world's clock.
    ///   - uptime: milliseconds of a clock that only rises.
    mutating func nextAt(_ channel: String, limit: Int, now: UnixMilliseconds, uptime: Int64) -> UnixMilliseconds? {
        guard !busy.contains(channel) else { return nil }
        let paced = paces[channel]?.nextAt(uptime, limit: limit).map { now + $0 - uptime } ?? .min
        // A clock that was set back holds up nothing for longer.
        let rest = min(rests[channel] ?? .min, now + Self.longestRest)
        return max(paced, rest)
    }

    /// A call leaves; its number.
    mutating func begin(
        _ channel: String, _ deliveries: [(id: String, severity: Severity?)], uptime: Int64
    ) -> UInt64 {
        last += 1
        underWay[last] = Call(channel: channel, deliveries: deliveries)
        busy.insert(channel)
        paces[channel, default: ChannelPace()].leave(uptime)
        return last
    }

    /// A call is answered; nil if it is not known.
    ///
    /// - Parameter rest: when the channel may be called again, of one that failed.
    mutating func end(_ number: UInt64, restUntil rest: UnixMilliseconds? = nil) -> Call? {
        guard let call = underWay.removeValue(forKey: number) else { return nil }
        busy.remove(call.channel)
        rests[call.channel] = rest
        return call
    }

    /// Nothing holds a channel up any more: it was changed, or somebody wants it tried.
    mutating func hurry(_ channel: String) { rests[channel] = nil }
}
