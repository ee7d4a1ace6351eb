package import ExporterSupport
package import GRDB
package import Models
internal import ServiceKit
package import Storage
internal import Synchronization

/// Where changes of tenants, contacts, sessions and rules are handed to the one thread that writes the database.
///
/// ``submit(_:)`` may be called from anywhere; it waits for the commit without blocking. The effects take what waits in
/// their next transaction (``perform(_:now:emit:)``) and say when it is on disk (``committed()``). A change that is
/// refused leaves nothing behind and does not disturb the others. The queue is bounded: more is refused with ``ExporterAPIError/busy``.
package final class ChangeQueue: Sendable {
    /// Changes that may wait.
    static let limit = 256
    /// Changes of one transaction.
    static let atOnce = 64

    package let directory: AccessDirectory
    /// Sent to when endpoints were announced.
    let announcements = ChangeBroadcast()
    private let builtIn: SecretDigest
    private let tell: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    private struct State {
        var waiting: [ChangeJob] = []
        /// Taken, neither committed nor refused yet.
        var underWay: [ChangeJob] = []
        var answers: [@Sendable () -> Void] = []
        var snapshot: AccessSnapshot?
        var wake: @Sendable () -> Void = {}
        var isClosed = false
    }

    /// - Parameters:
    ///   - builtIn: the token of the built-in regulator.
    ///   - tell: calls what it is given, which answers those who wait; called on the thread of the effects.
    package init(
        _ database: ServiceDatabase, builtIn: SecretDigest,
        tell: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) throws {
        self.builtIn = builtIn
        self.tell = tell
        directory = AccessDirectory(try database.read { try AccessSnapshot(builtIn: builtIn, $0) })
    }

    /// Sets how the writing thread is woken; before the first ``submit(_:)``.
    package func wake(by wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Has a change made in the next transaction.
    ///
    /// - Parameter change: runs on the writing thread, inside the transaction; returns its result and what is published.
    /// - Throws: what `change` throws (then it changed nothing); ``ExporterAPIError/busy``; `ControlError` `stopping`.
    package func submit<Value: Sendable>(
        _ change: @escaping @Sendable (Database, UnixMilliseconds) throws -> (Value, [OperationRecord])
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let answer = ChangeAnswer<Value>(continuation)
            let job = ChangeJob(
                perform: { db, now in
                    let (value, records) = try change(db, now)
                    return ChangeJob.Done(records: records) { answer.give(.success(value)) }
                }, fail: { answer.give(.failure($0)) })
            do { try enqueue(job)() } catch { job.fail(error) }
        }
    }

    /// Changes that wait.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Ends it: whoever waits, and whoever comes, learns that the service stops.
    package func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { (state.waiting, state.underWay, state.answers) = ([], [], []) }
            return state.waiting + state.underWay
        }
        for job in left { job.fail(Self.stopping) }
        announcements.close()
    }

    /// Has a job wait for the next transaction; gives back what wakes the thread that makes it.
    package func enqueue(_ job: ChangeJob) throws -> @Sendable () -> Void {
        try state.withLock { state in
            guard !state.isClosed else { throw Self.stopping }
            guard state.waiting.count < Self.limit else { throw ExporterAPIError.busy }
            state.waiting.append(job)
            return state.wake
        }
    }

    private static let full = ControlError(
        code: ControlError.journalFull,
        message: "the journal of lane operations is full (NKUL_LANE_OPERATIONS_BYTES, or the disk); nothing was changed"
    )
    private static let stopping = ControlError(code: ControlError.stopping, message: "the service is stopping")
}

/// What the thread of the effects calls, and only it.
extension ChangeQueue {
    /// Makes the changes that wait, in the running transaction; true if there were any.
    ///
    /// - Parameter isFull: the journal of `operations` is full: what would publish anything is refused.
    /// - Throws: what makes the transaction impossible; a refused change is answered and does not.
    package func perform(
        _ db: Database, now: UnixMilliseconds, isFull: Bool, emit: (OperationRecord) throws -> Void
    ) throws -> Bool {
        let jobs = state.withLock { state in
            let jobs = Array(state.waiting.prefix(Self.atOnce))
            state.waiting.removeFirst(jobs.count)
            state.underWay += jobs
            return jobs
        }
        guard !jobs.isEmpty else { return false }
        var answers: [@Sendable () -> Void] = []
        for job in jobs {
            let done: ChangeJob.Done
            do {
                done = try attempt(job, db, now, isFull)
            } catch  where error is ControlError || error is ExporterAPIError || error is DocumentRefusal {
                // Answered with the rest: what it was refused for may be in this very transaction.
                answers.append { job.fail(error) }
                continue
            }
            for record in done.records { try emit(record) }
            answers.append(done.answer)
        }
        let committing = answers
        try noteChange(db)
        state.withLock { $0.answers = committing }
        return true
    }

    /// Reads anew what requests are checked against, in the transaction that changed it.
    package func noteChange(_ db: Database) throws {
        let snapshot = try AccessSnapshot(builtIn: builtIn, db)
        state.withLock { $0.snapshot = snapshot }
    }

    /// What was performed is on disk: requests see it, then whoever waits learns it.
    package func committed() {
        let (snapshot, answers) = state.withLock { state in
            defer { (state.snapshot, state.answers, state.underWay) = (nil, [], []) }
            return (state.snapshot, state.answers)
        }
        if let snapshot { directory.replace(snapshot) }
        guard !answers.isEmpty || snapshot != nil else { return }
        tell { [announcements] in
            for answer in answers { answer() }
            if snapshot != nil { announcements.send() }
        }
    }

    private func attempt(
        _ job: ChangeJob, _ db: Database, _ now: UnixMilliseconds, _ isFull: Bool
    ) throws -> ChangeJob.Done {
        var done: ChangeJob.Done?
        try db.inSavepoint {
            let change = try job.perform(db, now)
            guard !isFull || change.records.isEmpty else { throw Self.full }
            done = change
            return .commit
        }
        return done!
    }
}

/// The one answer to somebody who waits. Thread-safe; only the first counts.
final class ChangeAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) { waiting = Mutex(continuation) }

    func give(_ result: Result<Value, any Error>) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(with: result)
    }
}
