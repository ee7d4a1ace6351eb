public import GRDB
public import Models

/// Which generation of a lane went on as which, through all restores of a home: what was said of a block before a restore is
/// still true of the block that has its number now.
public struct Lineage: Sendable {
    private struct Step {
        let lane: LaneName
        let from: UInt64
        let head: UInt64
        let to: UInt64
    }

    private var steps: [Step] = []

    /// Reads what a database has been through.
    public init(_ db: Database) throws {
        guard try RestoreRecord.has("restored_lanes", db) else { return }
        let rows = try Row.fetchAll(db, sql: "SELECT lane, old_generation, head, generation FROM restored_lanes")
        steps = rows.compactMap { row in
            LaneName(rawValue: row[0]).map {
                Step(
                    lane: $0, from: UInt64(bitPattern: row[1] as Int64), head: UInt64(row[2] as Int64),
                    to: UInt64(bitPattern: row[3] as Int64))
            }
        }
    }

    /// The same block in the present generation; of a block that no backup had, the position as it was.
    public func present(_ position: Position) -> Position {
        var position = position
        // Each step leads to a generation that was new then, so this ends.
        while let step = steps.first(where: { $0.lane == position.lane && $0.from == position.generation }),
            step.to != step.from,
            position.block <= step.head
        {
            position = Position(lane: position.lane, generation: step.to, block: position.block)
        }
        return position
    }

    /// Whether everything up to barriers is committed: a barrier from before a restore holds for the same block afterwards.
    ///
    /// - Parameters:
    ///   - lanes: those of others are not looked at.
    ///   - cursor: the last block of a lane whose effects are committed.
    public func areReached(
        _ barriers: [Position], in lanes: Set<LaneName>, by cursor: (LaneName) -> Position?
    ) -> Bool {
        barriers.allSatisfy { !lanes.contains($0.lane) || present($0).isReached(by: cursor($0.lane)) }
    }
}
