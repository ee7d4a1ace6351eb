import AggregatorDeriving
import BatchAggregator
import Foundation
import Lanes
import Models
import QoE
import Storage

/// An aggregator in memory that reads what an exporter reads, and whose cells the exporter gets.
final class TestAggregator {
    private let effects: AggregatorEffects
    private let engine: EffectEngine
    private var now = TestExporter.now

    init() throws {
        let zone = TimeZone(identifier: "Africa/Douala")!
        let database = try ServiceDatabase(path: ":memory:", migrations: AggregatorEffects.migrations)
        effects = try AggregatorEffects(
            .qoe, database: database, open: OpenRowDirectory(path: nil, timeZone: zone), timeZone: zone,
            isRollupsFull: { false }, stopwatch: { 0 })
        engine = try EffectEngine(
            database: database, reads: AggregatorEffects.subscriptions(.qoe).filter { $0.lane != .privacy },
            journals: [Journal(lane: .rollups, in: database)], effects: effects)
    }

    /// Takes blocks of rows; returns those of the cells that they change.
    func take(_ blocks: [LaneBlock]) throws -> [LaneBlock] {
        var cells: [LaneBlock] = [], next = blocks
        repeat {
            now += 1_000
            let outcome = try engine.step(next, now: now)
            cells += outcome.appended.flatMap(\.blocks).map { LaneBlock(lane: .rollups, block: $0) }
            next = []
        } while effects.hasWork
        return cells
    }
}
