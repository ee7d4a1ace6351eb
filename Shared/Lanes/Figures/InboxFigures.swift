/// What has come by a lane and waits to be applied, and what is known of its writer.
public struct InboxFigures: Sendable, Equatable {
    /// The writer's last block as far as it is known; 0 if nothing was heard yet.
    public var head: UInt64
    public var blocks: Int
    /// Sum of `Block/size`.
    public var bytes: Int
    /// What may wait at most.
    public var window: Credit
    /// Blocks that the writer no longer had when it was asked for them.
    public var missed: UInt64
    /// The writer's last heartbeat; nil before the first.
    package var heartbeat: LaneHeartbeat?
    /// Milliseconds since the writer was last heard, or since this service began to listen.
    public var silence: Int64

    package init(
        head: UInt64 = 0, blocks: Int = 0, bytes: Int = 0, window: Credit = .none, missed: UInt64 = 0,
        heartbeat: LaneHeartbeat? = nil, silence: Int64 = 0
    ) {
        self.head = head
        self.blocks = blocks
        self.bytes = bytes
        self.window = window
        self.missed = missed
        self.heartbeat = heartbeat
        self.silence = silence
    }
}
