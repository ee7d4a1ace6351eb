public import Models

/// What a journal remembers of a reader.
public struct JournalReader: Sendable, Equatable {
    public let name: String
    public var isRequired: Bool
    /// The last block whose effects it has committed.
    public var committed: UInt64
    /// True if it was optional and too far behind: it holds no block back until it joins again.
    public var isDetached: Bool
    /// When it was last heard of.
    public var seenAt: UnixMilliseconds

    public init(
        name: String, isRequired: Bool, committed: UInt64 = 0, isDetached: Bool = false, seenAt: UnixMilliseconds = 0
    ) {
        self.name = name
        self.isRequired = isRequired
        self.committed = committed
        self.isDetached = isDetached
        self.seenAt = seenAt
    }
}

/// A reader a journal waits for.
public struct ReaderRegistration: Sendable, Hashable {
    /// Name of the reading service.
    public let name: String
    /// A required reader holds blocks back for ever; an optional one is detached when it is too far behind.
    public let isRequired: Bool

    public init(name: String, isRequired: Bool = true) {
        self.name = name
        self.isRequired = isRequired
    }
}
