import GRDB
import Models
import Storage

/// A block of a lane, as day files name it.
package struct BlockKey: Hashable {
    package var lane: UInt8
    package var generation: Int64
    package var block: Int64

    package init(lane: UInt8, generation: Int64, block: Int64) {
        self.lane = lane
        self.generation = generation
        self.block = block
    }

    init(_ position: Position) {
        self.init(
            lane: position.lane.id, generation: Int64(bitPattern: position.generation), block: Int64(position.block))
    }

    /// Before every block.
    package static let none = BlockKey(lane: 0, generation: .min, block: .min)

    /// As values of a statement, lane, generation and block from `first` on.
    func bind(to statement: PreparedStatement, from first: Int32 = 1) {
        statement.bind(Int64(lane), first)
        statement.bind(generation, first + 1)
        statement.bind(block, first + 2)
    }
}

/// Blocks of one generation of a lane, after `after` and up to `through`.
package struct BlockRange: Equatable {
    var lane: UInt8
    var generation: Int64
    var after: Int64
    var through: Int64

    package init(lane: UInt8, generation: Int64, after: Int64, through: Int64) {
        self.lane = lane
        self.generation = generation
        self.after = after
        self.through = through
    }

    package var isEmpty: Bool { after >= through }

    package func contains(_ key: BlockKey) -> Bool {
        key.lane == lane && key.generation == generation && key.block > after && key.block <= through
    }
}
