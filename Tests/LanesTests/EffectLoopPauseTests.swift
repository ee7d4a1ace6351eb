import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import Testing

/// When effects are told that blocks pause.
@Suite(.timeLimit(.minutes(1))) struct EffectLoopPauseTests {
    /// Notes what it is told, and takes its time for blocks.
    private final class Listener: BlockEffects {
        private let step: Duration
        private let told: AsyncStream<ContinuousClock.Instant>.Continuation

        init(step: Duration, _ told: AsyncStream<ContinuousClock.Instant>.Continuation) {
            self.step = step
            self.told = told
        }

        func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
            Thread.sleep(forTimeInterval: step / .seconds(1))
        }

        func blocksPaused() { told.yield(.now) }
    }

    /// A source that has a block when a test gives it one, and says how long there was none.
    private final class Spring: BlockSource, @unchecked Sendable {
        // Sendable: all that changes is touched with the condition locked.
        private let condition = NSCondition()
        private var waiting: [LaneBlock] = []
        private var isHeld = false
        private let holdsWritersBack: Bool
        private var lastCame = ContinuousClock.now
        private var lastReleased: ContinuousClock.Instant?
        let statuses: [LaneName: LaneStatus] = [:]

        /// - Parameter holdsWritersBack: a block is half of the window.
        init(holdsWritersBack: Bool = false) { self.holdsWritersBack = holdsWritersBack }

        /// - Parameter isHeld: the block waits and is not handed out before ``wake()``.
        func give(_ block: LaneBlock, isHeld: Bool = false) {
            change {
                waiting.append(block)
                self.isHeld = isHeld
                lastCame = .now
            }
        }

        func next(
            until deadline: ContinuousClock.Instant, gathering: ContinuousClock.Instant?,
            excluding excluded: Set<LaneName>
        ) -> LaneBatch {
            condition.withLock {
                while waiting.isEmpty || isHeld {
                    let left = deadline - .now
                    if left <= .zero { return LaneBatch() }
                    _ = condition.wait(until: Date(timeIntervalSinceNow: left / .seconds(1)))
                }
                var batch = LaneBatch()
                batch.holdsWritersBack = holdsWritersBack
                swap(&batch.blocks, &waiting)
                return batch
            }
        }

        var quietSince: ContinuousClock.Instant? { condition.withLock { waiting.isEmpty ? lastCame : nil } }
        var released: ContinuousClock.Instant? { condition.withLock { lastReleased } }

        func release(_ batch: LaneBatch) { change { lastReleased = .now } }
        func wake() { change { isHeld = false } }

        private func change(_ body: () -> Void) {
            condition.withLock {
                body()
                condition.broadcast()
            }
        }
    }

    private func loop(
        _ spring: Spring, step: Duration = .zero
    ) throws -> (EffectLoop, told: AsyncStream<ContinuousClock.Instant>.Iterator) {
        let (stream, told) = AsyncStream<ContinuousClock.Instant>.makeStream()
        let engine = try EffectEngine(
            database: try ServiceDatabase(path: ":memory:", migrations: []),
            reads: [LaneSubscription(lane: .batch, kinds: [.report])], journals: [], effects: Listener(step: step, told)
        )
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
            // Had it been told twice after the block before, this would be from before the block.
            let pause = try #require(await told.next())
            #expect(pause - given >= .milliseconds(300))
            // Long enough to be told again.
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
        // None has come for long, so a pause it is once the block has been taken; had it been told before, it would not be now.
        let pause = try #require(await told.next())
        #expect(pause >= letGo)
    }

    @Test func `a step that takes long is no pause if nothing could come`() async throws {
        let spring = Spring(holdsWritersBack: true)
        var (loop, told) = try loop(spring, step: .milliseconds(500))
        spring.give(LaneBlock(lane: .batch, block: SampleRows.block(1)))
        loop.start()
        defer { loop.stop() }
        let pause = try #require(await told.next())
        #expect(try pause - #require(spring.released) >= .milliseconds(300))
    }

    @Test func `a step that takes long is a pause if more could have come`() async throws {
        let spring = Spring()
        var (loop, told) = try loop(spring, step: .milliseconds(500))
        spring.give(LaneBlock(lane: .batch, block: SampleRows.block(1)))
        loop.start()
        defer { loop.stop() }
        let pause = try #require(await told.next())
        #expect(try pause - #require(spring.released) < .milliseconds(300))
    }
}
