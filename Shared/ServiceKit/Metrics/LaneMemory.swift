import Models

/// What ``LaneMetrics`` remembers between two looks.
struct LaneMemory {
    /// For each lane read, a time before which nothing waits: when the last block applied was committed, or when the
    /// reader was last seen at the head.
    private var reached: [LaneName: UnixMilliseconds] = [:]
    /// Readers shown, by lane.
    private var readers: [LaneName: Set<String>] = [:]

    mutating func applied(_ lane: LaneName, committedAt: UnixMilliseconds) {
        reached[lane] = max(reached[lane] ?? .min, committedAt)
    }

    /// How long the oldest block that is not applied has waited, at most, in milliseconds; 0 at the head.
    ///
    /// Blocks are committed in order, so what waits is younger than the last block applied and than the last moment at which
    /// nothing waited. Before the first of them (after a start) it counts from the first look.
    mutating func lag(_ lane: LaneName, isAtHead: Bool, now: UnixMilliseconds) -> Int64 {
        if isAtHead || reached[lane] == nil { reached[lane] = max(reached[lane] ?? .min, now) }
        return isAtHead ? 0 : max(now - reached[lane]!, 0)
    }

    /// Takes the readers of a lane as they are; gives back those that are gone.
    mutating func replace(readers now: Set<String>, of lane: LaneName) -> Set<String> {
        defer { readers[lane] = now }
        return readers[lane, default: []].subtracting(now)
    }
}
