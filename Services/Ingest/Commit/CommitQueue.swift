internal import Foundation
internal import ServiceKit

/// The bounded queue between requests and the commit thread: one list fills while the other is committed.
///
/// From any thread. When it is full, ordinary jobs are refused (503 with `Retry-After`) and urgent ones may use as much
/// again. `NSCondition` guards a few fields and calls nothing while held.
final class CommitQueue: @unchecked Sendable {  // every field is read and written under `condition`
    private let condition = NSCondition()
    private let rowLimit: Int
    private let byteLimit: Int
    private var jobs: [CommitJob] = []
    private var rows = 0
    private var bytes = 0
    private var isUrgent = false
    private var isClosed = false
    private var isWoken = false
    /// Since when the first of `jobs` waits, and the first of those taken last waited.
    private var waitingSince = ContinuousClock.now
    private var takenAfter = ContinuousClock.now
    private let refused: Counter?

    /// - Parameter refused: counts what did not fit.
    init(rowLimit: Int, byteLimit: Int, refused: Counter? = nil) {
        self.refused = refused
        self.rowLimit = rowLimit
        self.byteLimit = byteLimit
    }

    /// Rows that wait.
    var depth: Int {
        condition.lock()
        defer { condition.unlock() }
        return rows
    }

    /// Bytes that wait.
    var byteDepth: Int {
        condition.lock()
        defer { condition.unlock() }
        return bytes
    }

    /// Since when the first of the jobs taken last had waited.
    var takenSince: ContinuousClock.Instant {
        condition.lock()
        defer { condition.unlock() }
        return takenAfter
    }

    /// Adds a job, or refuses it.
    func offer(_ job: CommitJob) {
        let count = job.rowCount, size = job.byteCount, urgent = job.isUrgent
        condition.lock()
        let room = urgent ? 2 : 1
        let fits = jobs.isEmpty || (rows + count <= rowLimit * room && bytes + size <= byteLimit * room)
        guard fits, !isClosed else {
            let closed = isClosed
            condition.unlock()
            if !closed { refused?.add() }
            return job.fail(closed ? .stopping : .busy)
        }
        let wasWaiting = jobs.isEmpty || urgent != isUrgent || rows < Self.enough && rows + count >= Self.enough
        if jobs.isEmpty { waitingSince = .now }
        jobs.append(job)
        rows += count
        bytes += size
        isUrgent = isUrgent || urgent
        condition.unlock()
        if wasWaiting { condition.signal() }
    }

    /// Rows that are worth a commit at once: half a block of the usual size.
    static let enough = 1_024

    /// Waits until there is something to commit and takes all of it.
    ///
    /// - Parameters:
    ///   - linger: how long ordinary rows may wait for company.
    ///   - idle: returns an empty list after so long without a job.
    /// - Returns: nil when the queue is closed and empty.
    func take(linger: TimeInterval, idle: TimeInterval) -> [CommitJob]? {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: idle)
        while jobs.isEmpty {
            if isClosed { return nil }
            if isWoken {
                isWoken = false
                return []
            }
            if !condition.wait(until: end) { return [] }
        }
        let deadline = Date(timeIntervalSinceNow: linger)
        while !isUrgent, rows < Self.enough, !isClosed, condition.wait(until: deadline) {}
        var taken: [CommitJob] = []
        swap(&taken, &jobs)
        takenAfter = waitingSince
        rows = 0
        bytes = 0
        isUrgent = false
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

extension Problem {
    static let busy = Problem(.busy, retryAfter: 1)
    static let stopping = Problem(.stopping, retryAfter: 5)
    static let diskFull = Problem(.diskFull, retryAfter: 60)
    static let failed = Problem(.storageFailed, retryAfter: 30)
}
