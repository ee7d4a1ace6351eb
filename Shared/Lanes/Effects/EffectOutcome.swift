public import Models
public import Wire

/// What one step of a service committed.
public struct EffectOutcome: Sendable {
    /// Where each lane's cursor is now, for lanes whose cursor moved.
    public var moved: [LaneName: Position] = [:]
    /// Blocks appended, lane by lane in the order of commit, to be pushed now.
    public var appended: [(lane: LaneName, blocks: [Block])] = []
    /// Blocks that were applied; repeats of earlier ones are not counted.
    public var appliedBlocks = 0
    /// Rows of these blocks.
    public var appliedRows = 0
    /// True if ``BlockEffects/tick(in:)`` was called and did something.
    public var didTick = false
}
