internal import Foundation
internal import Lanes
internal import Logging
internal import Models
internal import ServiceKit
internal import Storage
internal import Synchronization
internal import Wire

/// The one thread that writes ingest's database: takes what waits, commits it, pushes the blocks, answers.
final class CommitThread: @unchecked Sendable {
    // Sendable: after `start`, `engine` and `maintainedAt` belong to the thread; the rest is constant or locked.
    private let engine: IngestEngine
    private let queue: CommitQueue
    private let linger: TimeInterval
    private let clock: WallClock
    private let metrics: IngestMetrics
    private let lanes: LaneServer
    private let logger: Logger
    private let failure: @Sendable (any Error) -> Void
    private let ended = DispatchSemaphore(value: 0)
    private let isStarted = Mutex(false)
    private var maintainedAt: UnixMilliseconds = 0

    /// - Parameters:
    ///   - lanes: committed blocks are handed to them on this thread, before the answers.
    ///   - failure: told once if the thread cannot go on.
    init(
        engine: IngestEngine, queue: CommitQueue, linger: Duration, clock: WallClock, metrics: IngestMetrics,
        lanes: LaneServer, logger: Logger, failure: @escaping @Sendable (any Error) -> Void
    ) {
        self.engine = engine
        self.queue = queue
        self.linger = Double(linger.components.seconds) + Double(linger.components.attoseconds) * 1e-18
        self.clock = clock
        self.metrics = metrics
        self.lanes = lanes
        self.logger = logger
        self.failure = failure
    }

    func start() {
        isStarted.withLock { $0 = true }
        let thread = Thread { [self] in
            run()
            ended.signal()
        }
        thread.name = "ingest-commit"
        thread.start()
    }

    /// Commits what waits, refuses the rest, and returns when the thread has ended.
    func stop() {
        queue.close()
        guard isStarted.withLock({ $0 }) else { return }
        ended.wait()
    }

    private func run() {
        while let jobs = queue.take(linger: linger, idle: 1) {
            do {
                if !jobs.isEmpty { try commit(jobs) }
                try maintainIfDue()
            } catch let error as StorageError where error.code == .diskFull {
                continue
            } catch {
                failure(error)
                return refuseAll()
            }
        }
    }

    private func commit(_ jobs: [CommitJob]) throws {
        var uploads: [Upload] = [], enrolments: [Enrolment] = []
        for job in jobs {
            switch job {
            case .upload(let upload, _): uploads.append(upload)
            case .enrolment(let enrolment, _): enrolments.append(enrolment)
            }
        }
        let start = ContinuousClock.now
        do {
            let outcome = try engine.commit(uploads, enrolments: enrolments, now: clock.now())
            metrics.commitLatency.observe(ContinuousClock.now - start)
            lanes.publish([LaneName.realtime, .batch].map { ($0, outcome.blocks[$0] ?? []) })
            answer(jobs, outcome)
        } catch {
            let isDiskFull = (error as? StorageError)?.code == .diskFull
            for job in jobs { job.fail(isDiskFull ? .diskFull : .failed) }
            throw error
        }
    }

    private func answer(_ jobs: [CommitJob], _ outcome: IngestOutcome) {
        metrics.commits.add()
        var upload = 0, enrolment = 0, rows = 0
        for job in jobs {
            switch job {
            case .upload(let sent, let waiting):
                let result = outcome.receipts[upload]
                waiting.resume(returning: result)
                if case .success(let receipt) = result { metrics.count(receipt, kind: sent.kind) }
                rows += sent.rowCount
                upload += 1
            case .enrolment(_, let waiting):
                waiting.resume(returning: .success(outcome.enrolled[enrolment]))
                metrics.enrolments.add()
                enrolment += 1
            }
        }
        metrics.rowsPerCommit.observe(Int64(rows))
        for (lane, gauge) in metrics.journalBytes { gauge.set(Int64(engine.journalBytes(lane))) }
    }

    private func maintainIfDue() throws {
        let now = clock.now()
        guard now >= maintainedAt + 1_000 || now < maintainedAt else { return }
        maintainedAt = now
        for (lane, done) in try engine.maintain(lanes.takeProgress(), now: now) {
            for reader in done.detached {
                logger.warning("reader detached", metadata: ["lane": "\(lane.rawValue)", "reader": "\(reader)"])
            }
            if let oldest = engine.oldestBlock(lane), done.trimmedBlocks > 0 {
                lanes.trimmed(lane, oldest: oldest, tombstonesGone: 0)
            }
        }
    }

    /// After a failure: nobody waits for an answer that does not come.
    private func refuseAll() {
        queue.close()
        while let jobs = queue.take(linger: 0, idle: 0) { for job in jobs { job.fail(.failed) } }
    }
}
