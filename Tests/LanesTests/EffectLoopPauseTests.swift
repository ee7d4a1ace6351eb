import Foundation
import GRDB
import Lanes
import Models
import Storage
import Synchronization
import Testing

/// When effects are told that blocks pause.
@Suite(.timeLimit(.minutes(1))) struct EffectLoopPauseTests {
    /// Notes what it is told.
    private final class Listener: BlockEffects {
        private let told: AsyncStream<ContinuousClock.Instant>.Continuation

        init(_ told: AsyncStream<ContinuousClock.Instant>.Continuation) { self.told = told }

        func apply(_ blocks: [LaneBlock], now: UnixMilliseconds, in db: Database, emit: inout Emission) throws {}
        func blocksPaused() { told.yield(.now) }
    }

    /// A source that has a block when a test gives it one, and says how long there was none.
    private final class Spring: BlockSource {
        private struct State {
            var waiting: [LaneBlock] = []
            var isHeld = false
            var lastCame = ContinuousClock.now
        }

        private let state = Mutex(State())
        let statuses: [LaneName: LaneStatus] = [:]

        /// - Parameter isHeld: the block waits and is not handed out.
        func give(_ block: LaneBlock, isHeld: Bool = false) {
            state.withLock { state in
                state.waiting.append(block)
                state.isHeld = isHeld
                state.lastCame = .now
            }
        }

        func next(
            until deadline: ContinuousClock.Instant, gathering: ContinuousClock.Instant?,
            excluding excluded: Set<LaneName>
        ) -> LaneBatch {
            while ContinuousClock.now < deadline {
                let batch = state.withLock { state in
                    var batch = LaneBatch()
                    guard !state.isHeld else { return batch }
                    swap(&batch.blocks, &state.waiting)
                    return batch
                }
                if !batch.isEmpty { return batch }
                usleep(1_000)
            }
            return LaneBatch()
        }

        var quietSince: ContinuousClock.Instant? {
            state.withLock { $0.waiting.isEmpty ? $0.lastCame : nil }
        }

        func release(_ batch: LaneBatch) {}
        func wake() { state.withLock { $0.isHeld = false } }
    }

    private func loop(_ spring: Spring) throws -> (EffectLoop, told: AsyncStream<ContinuousClock.Instant>.Iterator) {
        let (stream, told) = AsyncStream<ContinuousClock.Instant>.makeStream()
        let engine = try EffectEngine(
            database: try ServiceDatabase(path: ":memory:", migrations: []),
            reads: [LaneSubscription(lane: .batch, kinds: [.report])], journals: [], effects: Listener(told))
        return (EffectLoop(engine: engine, source: spring, publisher: nil, clock: { 0 }), stream.makeAsyncIterator())
    }

    @Test func `effects are told once that blocks pause, and again after the next block`() async throws {
        let spring = Spring()
        var (loop, told) = try loop(spring)
        loop.start()
        defer { loop.stop() }
        for number in 1...3 as ClosedRange<UInt64> {
            let given = ContinuousClock.now
            spring.give(LaneBlock(lane: .batch, block: SampleRows.block(number)))
            // Had it been told twice after the block before, this would be too early.
            try await Task.sleep(for: .milliseconds(20))
            let pause = try #require(await told.next())
            #expect(pause - given >= .milliseconds(300))
            if number < 3 { try await Task.sleep(for: .milliseconds(450)) }
        }
    }

    @Test func `blocks that wait are no pause`() async throws {
        let spring = Spring()
        var (loop, told) = try loop(spring)
        spring.give(LaneBlock(lane: .batch, block: SampleRows.block(1)), isHeld: true)
        loop.start()
        defer { loop.stop() }
        try await Task.sleep(for: .milliseconds(700))
        let letGo = ContinuousClock.now
        spring.wake()
        let pause = try #require(await told.next())
        #expect(pause - letGo >= .milliseconds(300))
    }
}
