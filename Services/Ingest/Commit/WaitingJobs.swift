/// Jobs of one class that wait for the commit thread, first come, first taken.
struct WaitingJobs {
    private var jobs: [(job: CommitJob, since: ContinuousClock.Instant)] = []
    /// Where those that were not taken begin.
    private var first = 0
    /// Rows and bytes of the jobs that wait.
    private(set) var rows = 0
    private(set) var bytes = 0

    var isEmpty: Bool { first == jobs.count }

    /// Since when the first one waits.
    var oldest: ContinuousClock.Instant? { isEmpty ? nil : jobs[first].since }

    /// The first one.
    var next: CommitJob? { isEmpty ? nil : jobs[first].job }

    mutating func add(_ job: CommitJob, rows: Int, bytes: Int, _ now: ContinuousClock.Instant) {
        jobs.append((job, now))
        self.rows += rows
        self.bytes += bytes
    }

    /// Takes jobs until they have so many rows; at least one, if there is one.
    mutating func take(rows limit: Int) -> [CommitJob] {
        var taken: [CommitJob] = []
        let before = rows
        while !isEmpty, before - rows < limit { taken.append(takeFirst()) }
        forgetTaken()
        return taken
    }

    /// Takes the first one, which there is.
    mutating func takeNext() -> CommitJob {
        defer { forgetTaken() }
        return takeFirst()
    }

    private mutating func takeFirst() -> CommitJob {
        let job = jobs[first].job
        rows -= job.rowCount
        bytes -= job.byteCount
        first += 1
        return job
    }

    /// What was taken goes once it is more than what waits, so that a job is moved once on average.
    private mutating func forgetTaken() {
        guard first * 2 >= jobs.count else { return }
        jobs.removeFirst(first)
        first = 0
    }
}
