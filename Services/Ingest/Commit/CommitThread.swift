internal import Foundation
internal import IngestCommands
package import IngestSupport
internal import IngestUploads
package import Lanes
package import Logging
internal import Models
package import ServiceKit
internal import Storage
internal import Synchronization
internal import Wire

/// The one thread that writes ingest's database: takes what waits, commits it, pushes the blocks, answers.
package final class CommitThread: @unchecked Sendable {
    /// What others want done on this thread, between two commits.
    package let requests: WriterRequests<IngestEngine>
    // Sendable: after `start`, `engine`, `maintainedAt` and `erasesFrom` belong to the thread; the rest is constant or locked.
    private let engine: IngestEngine
    private let queue: CommitQueue
    private let linger: TimeInterval
    private let clock: WallClock
    private let metrics: IngestMetrics
    private let lanes: LaneServer
    private let failures: FailedAuthentications
    private let load: LoadGauge
    private let logger: Logger
    private let failure: @Sendable (any Error) -> Void
    private let ended = DispatchSemaphore(value: 0)
    private let isStarted = Mutex(false)
    private var maintainedAt: ContinuousClock.Instant?
    private var erasesFrom = ContinuousClock.now

    /// - Parameters:
    ///   - lanes: committed blocks are handed to them on this thread, before the answers.
    ///   - failures: written about once a second.
    ///   - load: told how full the queue, the journals and the disk are.
    ///   - failure: told once if the thread cannot go on.
    package init(
        engine: IngestEngine, queue: CommitQueue, linger: Duration, clock: WallClock, metrics: IngestMetrics,
        lanes: LaneServer, failures: FailedAuthentications, load: LoadGauge, logger: Logger,
        failure: @escaping @Sendable (any Error) -> Void
    ) {
        self.engine = engine
        self.queue = queue
        requests = WriterRequests { queue.wake() }
        self.linger = Double(linger.components.seconds) + Double(linger.components.attoseconds) * 1e-18
        self.clock = clock
        self.metrics = metrics
        self.lanes = lanes
        self.failures = failures
        self.load = load
        self.logger = logger
        self.failure = failure
    }

    package func start() {
        isStarted.withLock { $0 = true }
        lanes.observe(by: metrics.lanes)
        engine.traced = UploadLog(logger).lanes
        WorkThread.start("ingest-commit", niceness: 0, isPrompt: true) { [self] in
            run()
            requests.close()
            ended.signal()
        }
    }

    /// Commits what waits, refuses the rest, and returns when the thread has ended.
    package func stop() {
        queue.close()
        guard isStarted.withLock({ $0 }) else { return requests.close() }
        ended.wait()
    }

    /// Closes the database, after ``stop()``.
    package func close() throws { try engine.close() }

    private func run() {
        while let jobs = queue.take(linger: linger, idle: idle) {
            do {
                if !jobs.isEmpty { try commit(jobs) }
                requests.run(on: engine)
                try maintainIfDue()
                if mayErase, !queue.isUrgent { try erase() }
                if mayRetain, !queue.isUrgent { try retain() }
                if !queue.isUrgent { try engine.checkpointIfDue() }
            } catch let error as StorageError where error.code == .diskFull {
                load.diskIsFull()
                erasesFrom = .now + .seconds(1)
            } catch {
                failure(error)
                return refuseAll()
            }
        }
    }

    private func commit(_ taken: [CommitJob]) throws {
        var jobs = taken
        var uploads: [Upload] = [], commands: [any IngestCommand] = []
        for job in jobs {
            switch job {
            case .upload(let upload, _): uploads.append(upload)
            case .command(let waiting): commands.append(waiting.command)
            }
        }
        load.took(rows: jobs.reduce(0) { $0 + $1.rowCount })
        let start = ContinuousClock.now
        do {
            let outcome = try engine.commit(
                uploads, commands: commands, now: clock.now(),
                late: { [queue] in
                    let late = queue.takeLate()
                    jobs += late.map(\.job)
                    uploads += late.map(\.upload)
                    return late.map(\.upload)
                })
            metrics.deferred.add(outcome.deferred)
            metrics.count(uploads, took: .now - start, waited: .now - queue.takenSince)
            lanes.publish([LaneName.realtime, .batch, .requests].map { ($0, outcome.blocks[$0] ?? []) })
            answer(jobs, outcome)
            UploadLog(logger).write(outcome.traces)
        } catch {
            let isDiskFull = (error as? StorageError)?.code == .diskFull
            for job in jobs { job.fail(isDiskFull ? .diskFull : .failed) }
            throw error
        }
    }

    private func answer(_ jobs: [CommitJob], _ outcome: IngestOutcome) {
        for count in outcome.counts { count(metrics) }
        var upload = 0, command = 0
        for job in jobs {
            switch job {
            case .upload(let sent, let reply):
                let result = outcome.receipts[upload]
                reply(result)
                if case .success(let receipt) = result { metrics.count(receipt, kind: sent.kind) }
                upload += 1
            case .command(let waiting):
                waiting.answer(outcome.answers[command])
                command += 1
            }
        }
    }

    /// How long to wait for a job if there is none, in seconds: until the next slice is due.
    private var idle: TimeInterval {
        guard let next = engine.nextSlice else { return 1 }
        return min(max(erasesFrom - .now, .milliseconds(next - clock.now()), .zero) / .seconds(1), 1)
    }

    /// Slices go when nothing is urgent, and rest for a second after the disk was full.
    private var mayErase: Bool { erasesFrom <= .now && engine.hasErasureWork(now: clock.now()) }

    /// A slice of the erasures that wait.
    private func erase() throws {
        let blocks = try engine.eraseSlice(now: clock.now())
        for (lane, through) in engine.takeRewritten() { lanes.rewritten(lane, through: through) }
        lanes.publish([(.requests, blocks)])
    }

    /// As slices of erasures do.
    private var mayRetain: Bool { erasesFrom <= .now && engine.hasRetentionWork(now: clock.now()) }

    /// A slice of the retention order that waits.
    private func retain() throws { lanes.publish([(.requests, try engine.retainSlice(now: clock.now()))]) }

    private func maintainIfDue() throws {
        if let maintainedAt, .now < maintainedAt + .seconds(1) { return }
        maintainedAt = .now
        let now = clock.now()
        let round = try maintain(now)
        metrics.lanes.maintained(round)
        let figures = try engine.figures(now: now)
        load.look(figures)
        metrics.lanes.looked(LaneSurvey(journals: figures, now: now))
        for (lane, done) in round {
            for reader in done.detached {
                logger.warning("reader detached", metadata: ["lane": "\(lane.rawValue)", "reader": "\(reader)"])
            }
            if let oldest = engine.oldestBlock(lane), done.trimmedBlocks > 0 {
                lanes.trimmed(lane, oldest: oldest, tombstonesGone: 0)
            }
        }
    }

    private func maintain(_ now: UnixMilliseconds) throws -> [LaneName: JournalMaintenance] {
        let failed = failures.take()
        do { return try engine.maintain(lanes.takeProgress(), failures: failed, now: now) } catch {
            failures.giveBack(failed)
            throw error
        }
    }

    /// After a failure: nobody waits for an answer that does not come.
    private func refuseAll() {
        queue.close()
        while let jobs = queue.take(linger: 0, idle: 0) { for job in jobs { job.fail(.failed) } }
    }
}
