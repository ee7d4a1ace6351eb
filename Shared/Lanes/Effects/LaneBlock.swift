public import Models
public import Wire

/// A block with the lane it came by.
public struct LaneBlock: Sendable, Equatable {
    public var lane: LaneName
    public var block: Block

    public init(lane: LaneName, block: Block) {
        self.lane = lane
        self.block = block
    }

    /// Lane, generation and number: unique for ever.
    public var position: Position {
        Position(lane: lane, generation: block.header.generation, block: block.header.number)
    }
}
