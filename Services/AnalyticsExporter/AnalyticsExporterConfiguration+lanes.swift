public import Lanes
public import Models

extension AnalyticsExporterConfiguration {
    /// The lanes that the exporter reads, and the kinds it knows: of records that are urgent at times, and of all of them.
    public static func subscriptions(_ programmes: Programmes) -> [LaneSubscription] {
        let urgent = programmes.kinds.map(\.kind).filter { !$0.problems.isEmpty }
        return [
            LaneSubscription(lane: .realtime, kinds: urgent),
            LaneSubscription(lane: .alerts, kinds: [.alarm, .endpoint, .erasureReceipt]),
            LaneSubscription(lane: .rollups, kinds: [.cell, .erasureReceipt]),
            LaneSubscription(lane: .batch, kinds: programmes.kinds.map(\.kind)),
            LaneSubscription(
                lane: .privacy, kinds: [.erasureSubject, .erasureOrder, .retentionOrder, .accessOrder]),
        ]
    }
}
