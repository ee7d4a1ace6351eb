import GRDB
import Lanes
import Models
import QoE
import Storage
import Synchronization
import Testing

/// How long the loop waits for a tick when its clock runs at another pace than the machine's.
@Suite(.timeLimit(.minutes(1))) struct EffectLoopPaceTests {
    /// Effects that want a tick in an hour of their clock.
    private final class Patience: BlockEffects {
        func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {}
        var nextTick: UnixMilliseconds? { 3_600_000 }
    }

    /// A source without blocks that notes until when it is asked to wait, and does not wait.
    private final class Deadlines: BlockSource {
        let statuses: [LaneName: LaneStatus] = [:]
        private let asked: AsyncStream<Duration>.Continuation

        init(_ asked: AsyncStream<Duration>.Continuation) { self.asked = asked }

        func next(
            until deadline: ContinuousClock.Instant, gathering: ContinuousClock.Instant?,
            excluding excluded: Set<LaneName>
        ) -> LaneBatch {
            asked.yield(deadline - .now)
            return LaneBatch()
        }

        func release(_ batch: LaneBatch) {}
        func wake() {}
        var quietSince: ContinuousClock.Instant? { nil }
    }

    /// The wait for the tick once the first housekeeping, which is due at the start, is done.
    private func wait(pause: (@Sendable (UnixMilliseconds) -> Duration)?) async throws -> Duration {
        let (asked, note) = AsyncStream<Duration>.makeStream()
        let engine = try EffectEngine(
            database: try ServiceDatabase(path: ":memory:", migrations: []),
            reads: [LaneSubscription(lane: .batch, kinds: [.report])], journals: [], effects: Patience())
        let loop = EffectLoop(engine: engine, source: Deadlines(note), publisher: nil, clock: { 0 }, pause: pause)
        loop.start()
        defer { loop.stop() }
        for await wait in asked.dropFirst() { return wait }
        return .zero
    }

    @Test func `a clock that runs faster is waited for as long as it takes, one like the machine's for a beat`()
        async throws
    {
        #expect(try await wait(pause: { time in .milliseconds(time / 36_000) }) <= .milliseconds(100))
        #expect(try await wait(pause: nil) > .milliseconds(500))
    }
}
