/// What a retention run did to a kind of data at a service, or would do.
public struct RetentionFigures: Codable, Sendable, Equatable {
    /// Records: rows, alarms, grants.
    public var removed: Int
    /// Bytes that they took, as far as it is known.
    public var bytes: Int
    /// The time of the oldest that is still there when the run ended, Unix milliseconds; nil if there is none,
    /// and of a dry run.
    public var oldest: UnixMilliseconds?

    public init(removed: Int = 0, bytes: Int = 0, oldest: UnixMilliseconds? = nil) {
        self.removed = removed
        self.bytes = bytes
        self.oldest = oldest
    }

    /// Both of two places where a kind is kept.
    public func merged(with other: RetentionFigures) -> RetentionFigures {
        RetentionFigures(
            removed: removed + other.removed, bytes: bytes + other.bytes,
            oldest: [oldest, other.oldest].compactMap(\.self).min())
    }

    enum CodingKeys: String, CodingKey {
        case removed, bytes
        case oldest = "oldest_ms"
    }
}
