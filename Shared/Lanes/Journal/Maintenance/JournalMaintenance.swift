/// What one round of ``Journal/maintain(_:progress:now:)`` did.
public struct JournalMaintenance: Sendable, Equatable {
    /// Blocks that went.
    public var trimmedBlocks = 0
    /// Blocks that were rewritten without superseded records (state lanes).
    public var compactedBlocks = 0
    /// Optional readers detached now, to be counted and alarmed.
    public var detached: [String] = []
    /// True if there is more to do at once; a round is bounded so that it does not hold up commits.
    public var hasMore = false
    /// True if blocks went or were rewritten.
    public var hasChanged: Bool { trimmedBlocks + compactedBlocks > 0 }
}
