public import Models
internal import Storage
internal import Synchronization
internal import Wire

/// The thread of a reading service: takes blocks, runs the engine, pushes what was committed, gives credit back.
///
/// Made and started once. The engine, its journals and its effects are handed over: after ``start(onEnd:)`` only the loop's
/// thread may touch them.
public final class EffectLoop: @unchecked Sendable {
    // Sendable: the engine and what is remembered between steps are touched by the loop's thread only; the rest is constant or
    // has a lock.
    private let engine: EffectEngine
    private let source: any BlockSource
    private let publisher: (any BlockPublisher)?
    private let options: EffectLoopOptions
    private let clock: @Sendable () -> UnixMilliseconds
    private let pause: @Sendable (UnixMilliseconds) -> Duration
    private let state = WaitableState(State())
    private let requests: WriterRequests<EffectEngine>
    /// The turn of the loop's thread where it is of the idle class.
    private let turn: IdleTurn?
    /// Has the loop come by soon, also while no core is free: somebody waits for what it does next. From any thread.
    public let wake: @Sendable () -> Void
    private var lookedAt: ContinuousClock.Instant?
    /// When writers that had to wait for room were last given some.
    private var released = ContinuousClock.now
    private var isPauseTold = false
    private var applied = AppliedMark()
    private var completeness = LaneCompleteness()
    /// What readers were told last.
    private var toldComplete: UnixMilliseconds?
    private var rate = RowRate()
    private let madeAt = ContinuousClock.now
    /// How long no block must come for a pause; a disk that stands still for a moment is none.
    private static let quiet = Duration.milliseconds(300)
    /// Age of figures, ms, from which their thread no longer lives on what others leave. While many rows come, and nothing else
    /// wants the cores, they are ten to twenty seconds old: a fold follows on a rest.
    private static let oldest: UnixMilliseconds = 15_000
    /// The same while fewer rows come, so that figures are seconds old: from then on they are overdue.
    private static let old: UnixMilliseconds = 3_000

    private struct State {
        var isStopping = false
        var hasStarted = false
        var hasEnded = false
        var failure: (any Error)?
    }

    /// - Parameters:
    ///   - clock: what time it is for the effects.
    ///   - pause: how long it takes until the clock shows a time; nil for a clock that runs as the machine's.
    public init(
        engine: EffectEngine, source: any BlockSource, publisher: (any BlockPublisher)?,
        options: EffectLoopOptions = EffectLoopOptions(), clock: @escaping @Sendable () -> UnixMilliseconds,
        pause: (@Sendable (UnixMilliseconds) -> Duration)? = nil
    ) {
        self.engine = engine
        self.source = source
        self.publisher = publisher
        self.options = options
        self.clock = clock
        self.pause = pause ?? { time in .milliseconds(max(time - clock(), 0)) }
        let turn = options.idleClass.map { _ in IdleTurn() }
        let wake: @Sendable () -> Void = {
            turn?.hurry()
            source.wake()
        }
        self.turn = turn
        self.wake = wake
        requests = WriterRequests(wake: wake, tell: options.tell)
    }

    /// Has something done on the loop's thread between two steps: the way to the service's database for other threads.
    ///
    /// - Throws: what the body throws, which does not end the loop; ``WriterRefusal``.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (EffectEngine) throws -> Result
    ) async throws -> Result {
        try await requests.perform(body)
    }

    /// Starts the thread.
    ///
    /// - Parameter onEnd: called once on the loop's thread or that of its messenger: nil after ``stop()``, else the error after
    ///   which the service must end, because what its effects keep in memory may be ahead of the database.
    public func start(onEnd: @escaping @Sendable ((any Error)?) -> Void = { _ in }) {
        state.change { $0.hasStarted = true }
        options.idleClass?.start()
        if let observer = options.observer { publisher?.observe(by: observer) }
        WorkThread.start(
            options.name, niceness: options.niceness, isPrompt: options.isPrompt, idle: turn
        ) { [self] in
            var failure: (any Error)?
            do { try runRounds() } catch { failure = error }
            requests.close()
            state.change { state in
                state.failure = failure
                state.hasEnded = true
            }
            options.tell { [failure] in onEnd(failure) }
            options.idleClass?.end()
        }
    }

    /// Ends the loop after the step it is in, which is committed, and waits for that.
    public func stop() {
        let hasStarted = state.change { state in
            state.isStopping = true
            return state.hasStarted
        }
        turn?.hurry(forGood: true)
        source.wake()
        if hasStarted { state.wait { $0.hasEnded ? .done(()) : .wait } } else { requests.close() }
    }

    /// Runs until the task is cancelled (then returns) or a step fails (then throws).
    public func run() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
                start { failure in
                    if let failure { end.resume(throwing: failure) } else { end.resume() }
                }
            }
        } onCancel: {
            state.change { $0.isStopping = true }
            turn?.hurry(forGood: true)
            source.wake()
        }
    }

    /// The error that ended the loop, if one did.
    public var failure: (any Error)? { state.withLock { $0.failure } }

    /// How the service stands on each lane it reads.
    public var statuses: [LaneName: LaneStatus] { source.statuses }

    /// What has come by each lane, and when its writer was last heard.
    public var inboxes: [LaneName: InboxFigures] { source.inboxes }

    private func runRounds() throws {
        let beat = Duration.seconds(1)
        var gathered = ContinuousClock.now
        var housekeeping = ContinuousClock.now
        while !state.withLock({ $0.isStopping }) {
            let deadline = min(housekeeping, nextTick(within: beat), nextPause ?? housekeeping)
            let isGathering = options.gather > .zero
            let batch = source.next(
                until: deadline, gathering: isGathering ? gathered : nil, excluding: engine.isFull ? [.batch] : [])
            requests.run(on: engine)
            tellPause(batch)
            let begin = ContinuousClock.now
            guard let outcome = try step(batch) else { return }
            for journal in engine.journals {
                if let through = journal.takeRewritten() { publisher?.rewritten(journal.lane, through: through) }
            }
            publisher?.publish(outcome.appended)
            tellComplete()
            if !batch.isEmpty { source.release(batch) }
            let end = ContinuousClock.now, took = end - begin
            if source.quietSince != nil { try engine.database.checkpointIfDue() }
            if !batch.isEmpty { gathered = end + options.gather }
            if batch.holdsWritersBack { released = end }
            if !batch.isEmpty || outcome.didTick {
                options.onStep?(outcome, took)
                options.observer?.stepped(outcome, of: batch, took: took, now: clock())
            }
            if housekeeping <= ContinuousClock.now {
                housekeeping = ContinuousClock.now + (try keepHouse() ? .milliseconds(10) : beat)
            }
            if let turn { setPatience(turn, batch) }
            turn?.endRound()
        }
    }

    /// While few rows come, they are to be in the figures within seconds, whatever else the machine does. While many come, the
    /// idle class gets the time that receipts and alarms leave, unless that is so little that the figures grow old.
    private func setPatience(_ turn: IdleTurn, _ batch: LaneBatch) {
        let now = UnixMilliseconds((ContinuousClock.now - madeAt) / .milliseconds(1))
        rate.came(batch.blocks.reduce(0) { $0 + $1.block.header.rowCount }, now: now)
        let age = engine.effects.shownTo.map { clock() - $0 } ?? 0
        if rate.rate(now) < RowRate.many {
            turn.expect(age > Self.old ? .overdue : .soon)
        } else {
            turn.expect(age > Self.oldest + Self.old ? .overdue : age > Self.oldest ? .soon : .leftovers)
        }
    }

    /// Applies a batch; nil if the disk was full until the loop was stopped.
    private func step(_ batch: LaneBatch) throws -> EffectOutcome? {
        while true {
            do {
                return try engine.step(batch.blocks, skipped: batch.skipped, now: clock())
            } catch let error as StorageError where error.code == .diskFull && options.onDiskFull != nil {
                options.onDiskFull?(error)
                if hasStopped(within: .seconds(1)) { return nil }
            }
        }
    }

    private func hasStopped(within time: Duration) -> Bool {
        let deadline = ContinuousClock.now + time
        return state.wait { state in
            let left = deadline - ContinuousClock.now
            return state.isStopping ? .done(true) : left <= .zero ? .done(false) : .waitFor(left)
        }
    }

    /// True if there is more to do at once.
    private func keepHouse() throws -> Bool {
        let done = try engine.maintain(progress: publisher?.takeProgress() ?? [:], now: clock())
        for journal in engine.journals where done[journal.lane]?.hasChanged == true {
            publisher?.trimmed(journal.lane, oldest: journal.oldest, tombstonesGone: journal.tombstonesGone)
        }
        if !done.isEmpty { options.onMaintenance?(done) }
        options.observer?.maintained(done)
        try look(now: clock())
        return done.values.contains(where: \.hasMore)
    }

    /// How the service stands on its lanes, about once a second, however often there is housekeeping.
    private func look(now: UnixMilliseconds) throws {
        if let lookedAt, .now < lookedAt + .milliseconds(900) { return }
        lookedAt = .now
        let statuses = source.statuses, inboxes = source.inboxes
        let reads = engine.subscriptions.map(\.lane).map { lane in
            let inbox = inboxes[lane] ?? InboxFigures()
            return ReadFigures(
                lane: lane, cursor: engine.cursor(lane)?.block ?? 0, head: inbox.head,
                isConnected: statuses[lane]?.isConnected ?? false, inbox: inbox)
        }
        if let moment = applied.look(reads, now: now) { engine.effects.appliedAll(before: moment) }
        if completeness.look(reads) {
            engine.effects.lanesComplete(to: completeness.moments)
            tellComplete()
        }
        guard let observer = options.observer else { return }
        observer.looked(LaneSurvey(journals: try engine.figures(now: now), reads: reads, now: now))
    }

    /// Readers are told after the blocks that it is about.
    private func tellComplete() {
        guard let moment = engine.effects.completeTo, moment != toldComplete else { return }
        toldComplete = moment
        publisher?.completed(to: moment)
    }

    /// When it is to be told that blocks pause, if none comes before; nil while that has been told, or blocks wait.
    private var nextPause: ContinuousClock.Instant? {
        // While a step had what the writers may send, nothing could come.
        isPauseTold ? nil : source.quietSince.map { max($0, released) + EffectLoop.quiet }
    }

    private func tellPause(_ batch: LaneBatch) {
        if !batch.isEmpty { isPauseTold = false }
        guard batch.isEmpty, let nextPause, nextPause <= .now else { return }
        engine.effects.blocksPaused()
        isPauseTold = true
    }

    private func nextTick(within beat: Duration) -> ContinuousClock.Instant {
        guard let tick = engine.effects.nextTick else { return .now + beat }
        return .now + min(beat, pause(tick))
    }
}
