internal import Models
package import ServiceKit

/// What an operator looks at, by how it comes here.
package enum Figure: String, CaseIterable, Sendable {
    /// Alarms, which the router raises.
    case alarms
    /// Cells of the heat map, which the aggregator counts.
    case statistics
    /// Raw rows, and what is counted of them here.
    case rows
    /// Days of campaigns, which the reward dispatcher counts.
    case campaigns

    /// The lanes by which it comes here.
    var lanes: [LaneName] {
        switch self {
        case .alarms: [.alerts]
        case .statistics: [.rollups]
        case .rows: [.realtime, .batch]
        case .campaigns: [.rewards]
        }
    }

    /// The services without which nothing new comes, in the order of the flow.
    package var services: [ServiceName] {
        switch self {
        case .alarms: [.ingest, .alertRouter]
        case .statistics: [.ingest, .batchAggregator]
        case .rows: [.ingest]
        case .campaigns: [.ingest, .rewardDispatcher]
        }
    }

    /// How old its moment may be, ms of the system's clock, before it counts as late: what is promised of it, and the few seconds
    /// that heartbeats take on their way.
    package var patience: Int64 {
        switch self {
        case .alarms: 10_000
        case .statistics, .rows: 20_000
        case .campaigns: 60_000
        }
    }
}
