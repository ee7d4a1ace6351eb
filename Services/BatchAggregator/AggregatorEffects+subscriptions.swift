public import Lanes
internal import Models
internal import QoE

extension AggregatorEffects {
    /// Reports and feedback of both lanes of measurements, whose are to be erased, who asks for them, and what is over.
    public static let subscriptions = [
        LaneSubscription(lane: .realtime, kinds: [.report, .feedback]),
        LaneSubscription(
            lane: .batch, kinds: [.report, .feedback], window: Credit(blocks: 1_024, bytes: 8 << 20)),
        LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .accessOrder, .retentionOrder]),
    ]
}
