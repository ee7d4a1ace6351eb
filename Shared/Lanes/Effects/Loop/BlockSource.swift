public import Models

/// Where the blocks a service reads come from.
public protocol BlockSource: AnyObject, Sendable {
    /// Waits for blocks and takes what has come.
    ///
    /// - Parameters:
    ///   - deadline: returns by then, with nothing if nothing came.
    ///   - gathering: unless half a window is waiting or blocks pause, none is handed out before.
    ///   - excluded: lanes that are left alone for now.
    /// - Returns: blocks of real-time and state lanes first; those of `batch` only if there are no others or they were
    ///   gathered.
    func next(
        until deadline: ContinuousClock.Instant, gathering: ContinuousClock.Instant?, excluding excluded: Set<LaneName>
    ) -> LaneBatch

    /// Says that a batch was dealt with and its effects are on disk, which makes room for more.
    func release(_ batch: LaneBatch)

    /// Ends a wait in ``next(until:gathering:excluding:)`` from another thread.
    func wake()

    /// Since when no block has come, at first since the source was made; nil while some wait.
    var quietSince: ContinuousClock.Instant? { get }

    /// How the service stands on each lane it reads.
    var statuses: [LaneName: LaneStatus] { get }

    /// What waits on each lane, for figures.
    var inboxes: [LaneName: InboxFigures] { get }
}

extension BlockSource {
    public var inboxes: [LaneName: InboxFigures] { [:] }
}

/// What a service takes from its lanes at once.
public struct LaneBatch: Sendable {
    /// In order within each lane.
    public var blocks: [LaneBlock] = []
    /// Per lane, a position up to which there is nothing for this service besides `blocks`.
    public var skipped: [LaneName: Position] = [:]
    /// True if it has half of a lane's window or more: what the writer still had to send may have to wait until it is released.
    package var holdsWritersBack = false

    public init(blocks: [LaneBlock] = [], skipped: [LaneName: Position] = [:]) {
        self.blocks = blocks
        self.skipped = skipped
    }

    public var isEmpty: Bool { blocks.isEmpty && skipped.isEmpty }
}
