public import Models
public import Wire

/// Where committed blocks go from here: to readers by ``LaneServer``, or to another engine's outbox.
///
/// The journal stays the memory; a publisher may lose everything it was given.
public protocol BlockPublisher: AnyObject, Sendable {
    /// Blocks that are on disk, lane by lane in order of commit. Called by the writer's thread; returns at once.
    func publish(_ appended: [(lane: LaneName, blocks: [Block])])

    /// Everything acknowledged to phones before a moment counts in the blocks published so far; the next heartbeat tells readers.
    /// Called by the writer's thread.
    func completed(to moment: UnixMilliseconds)

    /// What readers said since the last call, by lane, for ``Journal/maintain(_:progress:now:)``.
    func takeProgress() -> [LaneName: [ReaderProgress]]

    /// A journal trimmed or compacted.
    func trimmed(_ lane: LaneName, oldest: UInt64, tombstonesGone: UInt64)

    /// A journal rewrote blocks, none of a higher number: what is kept of them in memory must not be handed out any more.
    func rewritten(_ lane: LaneName, through: UInt64)

    /// Has somebody told how long pushes take.
    func observe(by observer: any LaneObserver)
}

extension BlockPublisher {
    public func observe(by observer: any LaneObserver) {}
    public func completed(to moment: UnixMilliseconds) {}
}
