public import Models

/// What a service takes from its lanes at once.
public struct LaneBatch: Sendable {
    /// In order within each lane.
    public var blocks: [LaneBlock] = []
    /// Per lane, a position up to which there is nothing for this service besides `blocks`.
    public var skipped: [LaneName: Position] = [:]
    /// True if it has half of a lane's window or more: what the writer still had to send may have to wait until it is released.
    public var holdsWritersBack = false

    public init(blocks: [LaneBlock] = [], skipped: [LaneName: Position] = [:]) {
        self.blocks = blocks
        self.skipped = skipped
    }

    public var isEmpty: Bool { blocks.isEmpty && skipped.isEmpty }
}
