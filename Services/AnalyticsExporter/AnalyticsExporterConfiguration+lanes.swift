public import Lanes
internal import Models
internal import QoE

extension AnalyticsExporterConfiguration {
    /// The lanes that the exporter reads, and the kinds it knows.
    public static let subscriptions = [
        LaneSubscription(lane: .realtime, kinds: [.report, .feedback]),
        LaneSubscription(lane: .alerts, kinds: [.alarm, .endpoint, .erasureReceipt]),
        LaneSubscription(lane: .rollups, kinds: [.cell, .erasureReceipt]),
        LaneSubscription(lane: .batch, kinds: [.report, .feedback, .prompt]),
        LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .erasureOrder, .retentionOrder, .accessOrder]),
    ]
}
