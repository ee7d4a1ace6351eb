public import Lanes
internal import Models

extension AnalyticsExporterConfiguration {
    /// The lanes that the exporter reads, and the kinds it knows.
    public static let subscriptions = [
        LaneSubscription(lane: .realtime, kinds: [.report, .feedback]),
        LaneSubscription(lane: .alerts, kinds: [.alarm, .endpoint]),
        LaneSubscription(lane: .rollups, kinds: [.cell]),
        LaneSubscription(lane: .batch, kinds: [.report, .feedback, .prompt]),
    ]
}
