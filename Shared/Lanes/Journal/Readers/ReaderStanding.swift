public import Models

/// How a reader of a lane stands, as `nkul admin reader list` shows it.
public struct ReaderStanding: Codable, Sendable, Equatable {
    public var lane: LaneName
    public var reader: String
    /// A required reader holds blocks back for ever; an optional one is detached when it is too far behind.
    public var required: Bool
    /// True if nothing is held back for it, until it joins again.
    public var detached: Bool
    /// The last block whose effects it has committed, and the lane's last block.
    public var committed: UInt64
    public var head: UInt64
    /// When it was last heard of in Unix milliseconds; 0 is never.
    public var seen_at_ms: UnixMilliseconds

    init(_ reader: JournalReader, lane: LaneName, head: UInt64) {
        self.lane = lane
        self.reader = reader.name
        required = reader.isRequired
        detached = reader.isDetached
        committed = reader.committed
        self.head = head
        seen_at_ms = reader.seenAt
    }

    /// Blocks between it and the head.
    public var behind: UInt64 { head - min(head, committed) }
}

extension Journal {
    /// All readers that were ever here, by name.
    public var standings: [ReaderStanding] {
        readers.values.sorted { $0.name < $1.name }.map { ReaderStanding($0, lane: lane, head: head) }
    }
}
