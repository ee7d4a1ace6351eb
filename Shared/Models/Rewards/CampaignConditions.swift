/// From which cells records are worth something: those of level 13 of the SIM's network from which few have come.
public struct UndersampledCell: Codable, Sendable, Equatable {
    /// Fewer than so many.
    public var records: Int64
    /// On the day of receipt and so many days before.
    public var days: Int64

    public init(records: Int64, days: Int64) {
        self.records = records
        self.days = days
    }

    public static let recordCounts: ClosedRange<Int64> = 1...10_000
    public static let dayCounts: ClosedRange<Int64> = 1...CampaignDayDocument.cellDays
}

/// Who wins a campaign: those with most records that were captured on its local days, from that of `from` to that of `to`. Each is
/// paid the campaign's amount once late records have come.
public struct CampaignCompetition: Codable, Sendable, Equatable {
    /// How many win; those who share the last place all do.
    public var winners: Int64
    /// What must be contributed at least to win.
    public var least: Int64

    public init(winners: Int64, least: Int64) {
        self.winners = winners
        self.least = least
    }

    public static let winnerCounts: ClosedRange<Int64> = 1...1_000
    public static let leastCounts: ClosedRange<Int64> = 1...1_000_000
}

/// A campaign that pays a device when it has contributed so many records of its kind that were captured on its local days, from that
/// of `from` to that of `to`.
public struct CampaignMilestone: Codable, Sendable, Equatable {
    /// So many.
    public var records: Int64
    /// It is paid again whenever so many more have come.
    public var repeats: Bool

    public init(records: Int64, repeats: Bool) {
        self.records = records
        self.repeats = repeats
    }

    public static let recordCounts: ClosedRange<Int64> = 1...1_000_000

    /// How often it has been reached by so many records.
    public func times(reachedBy records: Int64) -> Int64 {
        let times = records / self.records
        return repeats ? times : min(times, 1)
    }
}

/// Emergencies that others confirm: enough other devices, of whatever network, have reported one from the same cell of level 13.
public struct ConfirmedEmergency: Codable, Sendable, Equatable {
    /// So many others at least.
    public var devices: Int64
    /// Captured within so many minutes before or after it.
    public var minutes: Int64

    public init(devices: Int64, minutes: Int64) {
        self.devices = devices
        self.minutes = minutes
    }

    public static let deviceCounts: ClosedRange<Int64> = 1...20
    public static let minuteCounts: ClosedRange<Int64> = 1...1_440
}
