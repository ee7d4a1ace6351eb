import GRDB
import Models

/// Blocks of one generation of a lane, after `after` and up to `through`.
struct BlockRange: Equatable {
    var lane: UInt8
    var generation: Int64
    var after: Int64
    var through: Int64

    var isEmpty: Bool { after >= through }

    func contains(_ key: BlockKey) -> Bool {
        key.lane == lane && key.generation == generation && key.block > after && key.block <= through
    }
}
