/// Who does most of a measure between two days. Pure.
public struct Competition: Sendable, Hashable {
    public let id: String
    public let measure: String
    /// From the first on, before the second; local days since 1970.
    public let days: Range<Int64>
    /// How many win; those who share the last place all do.
    public let winners: Int
    /// What must be done at least to win, above 0.
    public let least: Int64
    /// Days after its end in which late records still count; its winners are final then.
    package let lateDays: Int64

    public init(id: String, measure: String, days: Range<Int64>, winners: Int, least: Int64 = 1, lateDays: Int64 = 8) {
        precondition(winners > 0 && least > 0 && lateDays >= 0)
        self.id = id
        self.measure = measure
        self.days = days
        self.winners = winners
        self.least = least
        self.lateDays = lateDays
    }

    public enum Phase: String, Sendable, Codable {
        case ahead, running, counting, over
    }

    public func phase(today: Int64) -> Phase {
        if today < days.lowerBound { return .ahead }
        if today < days.upperBound { return .running }
        return today < days.upperBound + lateDays ? .counting : .over
    }

    /// Those who would win if nothing more came.
    public func winners(_ standings: Standings) -> [Standings.Place] {
        standings.places.prefix { $0.rank <= winners }.filter { $0.entry.score >= least }
    }
}
