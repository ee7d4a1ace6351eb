public import Models

/// A lane a service reads, and how.
public struct LaneSubscription: Sendable {
    public var lane: LaneName
    /// Kinds wanted, in the version this program knows; blocks of other kinds are skipped by the writer.
    public var kinds: [RecordKind]
    /// True if the writer must keep blocks for this service whatever happens.
    public var isRequired: Bool
    /// Blocks and bytes the writer may send ahead; this bounds the service's memory for the lane.
    public var window: Credit

    public init(lane: LaneName, kinds: [RecordKind], isRequired: Bool = true, window: Credit = .standard) {
        self.lane = lane
        self.kinds = kinds
        self.isRequired = isRequired
        self.window = window
    }
}
