internal import Foundation
package import IngestSupport
internal import IngestUploads
package import ServiceKit

/// The bounded queue between requests and the commit thread: it fills while what was taken is committed.
///
/// Urgent jobs do not wait for ordinary ones that came before them: they are taken first, and a commit takes a bounded
/// number of ordinary rows, so that an alarm waits for a few milliseconds of other people's rows at most, however many wait.
///
/// From any thread. When it is full, ordinary jobs are refused (503 with `Retry-After`) and urgent ones may use as much
/// again. `NSCondition` guards a few fields and calls nothing while held.
package final class CommitQueue: @unchecked Sendable {  // every field is read and written under `condition`
    private let condition = NSCondition()
    private let rowLimit: Int
    private let byteLimit: Int
    private let urgentTimes: Duration
    private var urgent = WaitingJobs()
    private var ordinary = WaitingJobs()
    /// Whether ordinary jobs must be among those taken next, because the last commit had none.
    private var owesOrdinary = false
    private var isClosed = false
    private var isWoken = false
    /// When the last urgent job came; nil before the first.
    private var lastUrgent: ContinuousClock.Instant?
    /// Since when the first of the jobs taken last had waited.
    private var takenAfter = ContinuousClock.now
    private let refused: Counter?
    /// Told of each urgent job while it waits; from any thread.
    private let urgentCame: @Sendable () -> Void

    /// - Parameters:
    ///   - urgentTimes: how long after an urgent job others are expected.
    ///   - refused: counts what did not fit.
    init(
        rowLimit: Int, byteLimit: Int, urgentTimes: Duration = .seconds(1), refused: Counter? = nil,
        urgentCame: @escaping @Sendable () -> Void = {}
    ) {
        self.urgentCame = urgentCame
        self.urgentTimes = urgentTimes
        self.refused = refused
        self.rowLimit = rowLimit
        self.byteLimit = byteLimit
    }

    /// Rows that wait.
    var depth: Int {
        condition.lock()
        defer { condition.unlock() }
        return urgent.rows + ordinary.rows
    }

    /// Whether an urgent job waits.
    var isUrgent: Bool {
        condition.lock()
        defer { condition.unlock() }
        return !urgent.isEmpty
    }

    /// Bytes that wait.
    var byteDepth: Int {
        condition.lock()
        defer { condition.unlock() }
        return urgent.bytes + ordinary.bytes
    }

    /// Since when the first of the jobs taken last had waited.
    var takenSince: ContinuousClock.Instant {
        condition.lock()
        defer { condition.unlock() }
        return takenAfter
    }

    /// Adds a job, or refuses it.
    package func offer(_ job: CommitJob) {
        let count = job.rowCount, size = job.byteCount, isUrgent = job.isUrgent, now = ContinuousClock.now
        condition.lock()
        // Uploads of which every row was rejected have no rows, and wait for their receipts all the same.
        let isEmpty = urgent.isEmpty && ordinary.isEmpty
        let room = isUrgent ? 2 : 1, rows = urgent.rows + ordinary.rows, bytes = urgent.bytes + ordinary.bytes
        let fits = isEmpty || (rows + count <= rowLimit * room && bytes + size <= byteLimit * room)
        guard fits, !isClosed else {
            let closed = isClosed
            condition.unlock()
            if !closed { refused?.add() }
            return job.fail(closed ? .stopping : .busy)
        }
        let isAwaited =
            isEmpty || isUrgent && urgent.isEmpty
            || ordinary.rows < Self.enough && ordinary.rows + count >= Self.enough
        if isUrgent {
            urgent.add(job, rows: count, bytes: size, now)
            lastUrgent = now
        } else {
            ordinary.add(job, rows: count, bytes: size, now)
        }
        condition.unlock()
        if isAwaited { condition.signal() }
        if isUrgent { urgentCame() }
    }

    /// Rows that are worth a commit at once: half a block of the usual size.
    static let enough = 1_024
    /// Ordinary rows after which a commit takes no further job; about 2 ms of the commit thread.
    static let most = 2_048
    /// The same while urgent jobs come, so that the next of them waits for less.
    static let mostBesideUrgent = 1_024

    /// Waits until there is something to commit and takes it: everything urgent, and ordinary jobs of at most ``most`` rows
    /// (``mostBesideUrgent``) and one more job. After a commit without ordinary jobs the next has some, whatever is urgent.
    ///
    /// - Parameters:
    ///   - linger: how long ordinary rows may wait for company.
    ///   - idle: returns an empty list after so long without a job.
    /// - Returns: nil when the queue is closed and empty.
    func take(linger: TimeInterval, idle: TimeInterval) -> [CommitJob]? {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: idle)
        while urgent.isEmpty, ordinary.isEmpty {
            if isClosed { return nil }
            if isWoken {
                isWoken = false
                return []
            }
            if !condition.wait(until: end) { return [] }
        }
        let deadline = Date(timeIntervalSinceNow: linger)
        while urgent.isEmpty, ordinary.rows < Self.enough, !isClosed, condition.wait(until: deadline) {}
        let isBesideUrgent = lastUrgent.map { .now < $0 + urgentTimes } ?? false
        takenAfter = min(urgent.oldest ?? .now, ordinary.oldest ?? .now)
        let onlyUrgent = !urgent.isEmpty && !owesOrdinary && !isClosed
        var taken = urgent.take(rows: .max)
        owesOrdinary = onlyUrgent && !ordinary.isEmpty
        if !onlyUrgent { taken += ordinary.take(rows: isBesideUrgent ? Self.mostBesideUrgent : Self.most) }
        return taken
    }

    /// Takes urgent uploads that wait, up to the first other job, for a commit that has begun.
    func takeLate() -> [(job: CommitJob, upload: Upload)] {
        condition.lock()
        defer { condition.unlock() }
        var taken: [(CommitJob, Upload)] = []
        while case .upload(let upload, _)? = urgent.next { taken.append((urgent.takeNext(), upload)) }
        return taken
    }

    /// Lets the commit thread come by although nothing waits.
    func wake() {
        condition.lock()
        isWoken = true
        condition.unlock()
        condition.signal()
    }

    /// Refuses everything from now on; what waits is still committed.
    func close() {
        condition.lock()
        isClosed = true
        condition.unlock()
        condition.broadcast()
    }
}

extension CommitQueue {
    /// A queue with the limits of the settings that shows what waits in it.
    ///
    /// - Parameter urgentCame: told of each urgent job while it waits; from any thread.
    package convenience init(
        _ configuration: IngestConfiguration, _ metrics: Metrics, urgentCame: @escaping @Sendable () -> Void
    ) {
        self.init(
            rowLimit: configuration.queueRows, byteLimit: configuration.queueBytes,
            refused: metrics.queueRefusals("commit"), urgentCame: urgentCame)
        metrics.queue("commit", unit: "rows", limit: configuration.queueRows) { [weak self] in self?.depth ?? 0 }
        metrics.queue("commit", unit: "bytes", limit: configuration.queueBytes) { [weak self] in self?.byteDepth ?? 0 }
    }
}
