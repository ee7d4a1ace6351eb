/// A place in a lane. Numbers rise by one a block; the generation is renewed when a journal is restored or lost.
public struct Position: Sendable, Hashable, Codable {
    public let lane: LaneName
    /// Random, never 0 in a journal.
    public let generation: UInt64
    /// The last block that counts; 0 before the first.
    public let block: UInt64

    public init(lane: LaneName, generation: UInt64, block: UInt64) {
        self.lane = lane
        self.generation = generation
        self.block = block
    }

    /// The place as one word, the same in the logs of every service: `realtime/77/12`.
    public var text: String { "\(lane.rawValue)/\(generation)/\(block)" }

    /// Whether a reader has seen everything up to here.
    ///
    /// - Parameter cursor: the last block of the lane whose effects are committed; nil before the first.
    public func isReached(by cursor: Position?) -> Bool {
        guard block > 0 else { return true }
        guard let cursor, cursor.generation == generation else { return false }
        return cursor.block >= block
    }
}
