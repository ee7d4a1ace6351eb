import Foundation
import GRDB
import Models
import Storage
import Testing

@testable import Lanes

/// When effects are told that everything that was on the lanes is applied.
@Suite(.timeLimit(.minutes(1))) struct EffectLoopAppliedTests {
    private final class Listener: BlockEffects {
        private let told: AsyncStream<UnixMilliseconds>.Continuation
        private(set) var applied = 0

        init(_ told: AsyncStream<UnixMilliseconds>.Continuation) { self.told = told }

        func apply(_ blocks: [LaneBlock], now: UnixMilliseconds, in db: Database, emit: inout Emission) throws {
            applied += blocks.count
        }

        func appliedAll(before moment: UnixMilliseconds) { told.yield(applied == 2 ? moment : -1) }
    }

    /// A source that hands out two blocks, a second apart, whose writer has told of both from the beginning.
    private final class Brook: BlockSource, @unchecked Sendable {
        // Sendable: touched by the loop's thread only.
        private var given: UInt64 = 0
        private let began = ContinuousClock.now
        let statuses: [LaneName: LaneStatus] = [.batch: .reading(behind: 0)]
        let inboxes: [LaneName: InboxFigures] = [.batch: InboxFigures(head: 2)]
        let quietSince: ContinuousClock.Instant? = nil

        func next(
            until deadline: ContinuousClock.Instant, gathering: ContinuousClock.Instant?,
            excluding excluded: Set<LaneName>
        ) -> LaneBatch {
            var batch = LaneBatch()
            if given < 2, began + .seconds(Int(given)) <= .now {
                given += 1
                batch.blocks = [LaneBlock(lane: .batch, block: SampleRows.block(given))]
            } else {
                Thread.sleep(forTimeInterval: 0.01)
            }
            return batch
        }

        func release(_ batch: LaneBatch) {}
        func wake() {}
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
