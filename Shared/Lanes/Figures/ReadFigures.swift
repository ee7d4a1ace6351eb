public import Models

/// How a service stands on a lane that it reads, at one moment.
public struct ReadFigures: Sendable, Equatable {
    public let lane: LaneName
    /// The last block whose effects are committed; 0 before the first.
    public let cursor: UInt64
    /// The writer's head as far as it is known, never less than `cursor`.
    public let head: UInt64
    /// True in a session with the writer.
    public let isConnected: Bool
    /// Blocks that have come and wait to be applied.
    public let inbox: InboxFigures

    public init(lane: LaneName, cursor: UInt64, head: UInt64, isConnected: Bool, inbox: InboxFigures) {
        self.lane = lane
        self.cursor = cursor
        self.head = max(head, cursor)
        self.isConnected = isConnected
        self.inbox = inbox
    }
}
