public import Lanes
public import Models
import Synchronization
import Wire

/// The lanes of a service at `/metrics`: what it writes, what it reads, its steps and pushes. The same in all services.
///
///     EffectLoopOptions(…, observer: LaneMetrics(host.metrics))
///
/// Nothing is counted per record: a step costs a few atomic additions, and the rest is set once a second. Calls may come from
/// any thread.
public final class LaneMetrics: LaneObserver {
    let metrics: Metrics
    /// Transactions; counted here for steps, by the service for what is no step.
    public let commits: CommitMetrics
    private let pushes: Histogram
    /// Of services that take steps.
    private let effects = Mutex<Histogram?>(nil)
    private let delays = Mutex<[LaneName: Histogram]>([:])
    let memory = Mutex(LaneMemory())

    public init(_ metrics: Metrics) {
        self.metrics = metrics
        commits = CommitMetrics(metrics)
        pushes = metrics.stage("pushed")
        for family in LaneFamily.allCases { metrics.declare(family.kind, family.rawValue, family.help) }
    }

    public func stepped(_ outcome: EffectOutcome, of batch: LaneBatch, took: Duration, now: UnixMilliseconds) {
        commits.count(rows: outcome.appliedRows, took: took)
        guard !batch.blocks.isEmpty else { return }
        stage().observe(took)
        var delay: (lane: LaneName, histogram: Histogram)?
        for block in batch.blocks {
            if delay?.lane != block.lane { delay = (block.lane, self.delay(block.lane)) }
            delay?.histogram.observe(max(now - block.block.header.committedAt, 0))
        }
        memory.withLock { memory in
            for block in batch.blocks { memory.applied(block.lane, committedAt: block.block.header.committedAt) }
        }
    }

    public func pushed(after delay: Duration) { pushes.observe(delay) }

    public func maintained(_ done: [LaneName: JournalMaintenance]) {
        for (lane, done) in done {
            add(done.trimmedBlocks, to: .trimmed, lane)
            add(done.compactedBlocks, to: .compacted, lane)
            add(done.detached.count, to: .detachments, lane)
        }
    }

    public func looked(_ survey: LaneSurvey) {
        for journal in survey.journals { show(journal) }
        for read in survey.reads { show(read, now: survey.now) }
    }

    private func add(_ count: Int, to family: LaneFamily, _ lane: LaneName) {
        metrics.counter(family.rawValue, family.help, labels: ["lane": lane.rawValue]).add(count)
    }

    private func stage() -> Histogram {
        effects.withLock { effects in
            let stage = effects ?? metrics.stage("effects")
            effects = stage
            return stage
        }
    }

    private func delay(_ lane: LaneName) -> Histogram {
        delays.withLock { delays in
            if let known = delays[lane] { return known }
            let family = LaneFamily.delay
            let new = metrics.histogram(
                family.rawValue, family.help, labels: ["lane": lane.rawValue], bounds: Self.delayBounds, divisor: 1_000)
            delays[lane] = new
            return new
        }
    }

    /// 1 ms … 1 day in milliseconds: a reader may have been away.
    private static let delayBounds: [Int64] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000,
    ]
}
