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
}
