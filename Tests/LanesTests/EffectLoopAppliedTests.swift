import Foundation
import GRDB
import Models
import QoE
import Storage
import Testing

@testable import Lanes

/// When effects are told that everything that was on the lanes is applied.
@Suite(.timeLimit(.minutes(1))) struct EffectLoopAppliedTests {
    private final class Listener: BlockEffects {
        private let told: AsyncStream<UnixMilliseconds>.Continuation
        private(set) var applied = 0

        init(_ told: AsyncStream<UnixMilliseconds>.Continuation) { self.told = told }

        func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
            applied += blocks.count
        }

        func appliedAll(before moment: UnixMilliseconds) { told.yield(applied == 2 ? moment : -1) }
    }

    /// A source that hands out a block, and another when the loop has looked; its writer has told of both from the beginning.
    private final class Brook: BlockSource, @unchecked Sendable {
        // Sendable: all but the condition is touched by the loop's thread only.
        private let condition = NSCondition()
        private var given: UInt64 = 0
        private var isLookedAt = false
        let statuses: [LaneName: LaneStatus] = [.batch: .current]
        let quietSince: ContinuousClock.Instant? = nil

        var inboxes: [LaneName: InboxFigures] {
            isLookedAt = given > 0
            return [.batch: InboxFigures(head: 2)]
        }

        func next(
            until deadline: ContinuousClock.Instant, gathering: ContinuousClock.Instant?,
            excluding excluded: Set<LaneName>
        ) -> LaneBatch {
            guard given == 0 || given == 1 && isLookedAt else {
                _ = condition.withLock {
                    condition.wait(until: Date(timeIntervalSinceNow: (deadline - .now) / .seconds(1)))
                }
                return LaneBatch()
            }
            given += 1
            var batch = LaneBatch()
            batch.blocks = [LaneBlock(lane: .batch, block: SampleRows.block(given))]
            return batch
        }

        func release(_ batch: LaneBatch) {}
        func wake() { condition.withLock { condition.broadcast() } }
    }

    @Test func `effects are told when cursors have passed what the writer had`() async throws {
        let (stream, told) = AsyncStream<UnixMilliseconds>.makeStream()
        let engine = try EffectEngine(
            database: try ServiceDatabase(path: ":memory:", migrations: []),
            reads: [LaneSubscription(lane: .batch, kinds: [.report])], journals: [], effects: Listener(told))
        let loop = EffectLoop(engine: engine, source: Brook(), publisher: nil, clock: { 1_000_000 })
        loop.start()
        defer { loop.stop() }
        var moments = stream.makeAsyncIterator()
        #expect(await moments.next() == 1_000_000 - LaneReaderCore.silence)
    }
}
