public import Models

/// What a service takes from its lanes at once.
public struct LaneBatch: Sendable {
    /// In order within each lane.
    public var blocks: [LaneBlock] = []
    /// Per lane, a position up to which there is nothing for this service besides `blocks`.
    public var skipped: [LaneName: Position] = [:]

    public init(blocks: [LaneBlock] = [], skipped: [LaneName: Position] = [:]) {
        self.blocks = blocks
        self.skipped = skipped
    }

    public var isEmpty: Bool { blocks.isEmpty && skipped.isEmpty }
}
