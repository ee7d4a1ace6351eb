public import Models

/// How much of a lane is kept, and for whom.
public struct LaneLimits: Sendable, Equatable {
    /// Bytes of blocks from which the journal is full: the service then refuses what it can (``Journal/isFull``).
    public var maximumBytes: Int
    /// Event lanes: how long a block is kept after every reader is past it, so that a reader may join late. Given up when
    /// three quarters of ``maximumBytes`` are used: room for phones comes first.
    public var retention: UnixMilliseconds
    /// State lanes: how long the last word on a removed key is kept.
    package var tombstoneRetention: UnixMilliseconds
    /// Bytes an optional reader may be behind before it is detached and no longer holds blocks back.
    package var optionalReaderBytes: Int

    public init(
        maximumBytes: Int, retention: UnixMilliseconds = 3_600_000,
        tombstoneRetention: UnixMilliseconds = 30 * 86_400_000,
        optionalReaderBytes: Int? = nil
    ) {
        self.maximumBytes = maximumBytes
        self.retention = retention
        self.tombstoneRetention = tombstoneRetention
        self.optionalReaderBytes = optionalReaderBytes ?? maximumBytes / 2
    }

    /// 20 GB for `batch`, where a country's phones must have room while readers are away, and for `rollups`, whose state is
    /// every cell there is; 2 GB for every other lane.
    public static func standard(for lane: LaneName) -> LaneLimits {
        LaneLimits(maximumBytes: [.batch, .rollups].contains(lane) ? 20_000_000_000 : 2_000_000_000)
    }
}
