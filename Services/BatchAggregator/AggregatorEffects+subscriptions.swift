public import Lanes
public import Models

extension AggregatorEffects {
    /// What counts of both lanes of measurements, whose are to be erased, who asks for them, and what is over.
    public static func subscriptions(_ programmes: Programmes) -> [LaneSubscription] {
        let counted = programmes.recordKinds { $0.isCounted }
        return [
            LaneSubscription(lane: .realtime, kinds: counted),
            LaneSubscription(lane: .batch, kinds: counted, window: Credit(blocks: 1_024, bytes: 8 << 20)),
            LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .accessOrder, .retentionOrder]),
        ]
    }
}
