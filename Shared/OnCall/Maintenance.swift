public import Channels
public import Models

/// Planned work of a tenant: alarms that are raised meanwhile are marked, and told when it is over, if they are still open.
public struct Maintenance: Sendable, Equatable {
    public enum Time: Sendable, Hashable {
        case once(Range<UnixMilliseconds>)
        case weekly(WeeklyHours, CivilZone)
    }

    public let id: String
    public let tenant: String
    /// Which alarms it is about.
    public let filter: ChannelFilter
    public let time: Time
    public let reason: String

    /// The window around an instant; nil if there is none then.
    public func window(around time: UnixMilliseconds) -> Range<UnixMilliseconds>? {
        switch self.time {
        case .once(let period): period.contains(time) ? period : nil
        case .weekly(let hours, let zone): hours.span(around: time, in: zone)
        }
    }

    /// Windows in a period, also in part, in order.
    public func windows(in period: Range<UnixMilliseconds>) -> [Range<UnixMilliseconds>] {
        switch time {
        case .once(let once): once.overlaps(period) ? [once] : []
        case .weekly(let hours, let zone): hours.spans(in: period, in: zone)
        }
    }
}
