internal import Lanes
public import Models

/// Where a service gives what it holds, and what it must have seen before.
public struct AccessPlan: Sendable {
    /// Who gives, by the name of its program without `nkul-`.
    public let service: String
    /// The lane on which its parts travel.
    public let lane: LaneName
    /// Ingest's lanes that it reads: its cursors must be past the barriers of an order.
    public let barriers: Set<LaneName>

    /// - Parameter reads: every lane that the service reads; those of ingest have barriers.
    public init(service: String, partsOn lane: LaneName, reads: some Sequence<LaneName>) {
        self.service = service
        self.lane = lane
        barriers = Set(reads).intersection([.realtime, .batch, .requests])
    }

    /// Whether everything of before the request is in the service's tables.
    ///
    /// - Parameters:
    ///   - cursor: the last block of a lane whose effects are committed.
    ///   - lineage: what became of generations.
    func isReady(_ order: AccessOrderDocument, cursor: (LaneName) -> Position?, lineage: Lineage) -> Bool {
        lineage.areReached(order.barriers, in: barriers, by: cursor)
    }
}
