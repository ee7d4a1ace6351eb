internal import Logging
internal import Models
internal import Storage

/// Reads pages of journals for readers that are behind, on a thread of its own and by a read-only connection, so that
/// neither commits nor sockets wait for it.
final class PageReader: Sendable {
    /// A page to read, and what is done with it (on the reader's thread).
    struct Job: Sendable {
        let lane: LaneName
        let request: LanePageRequest
        let deliver: @Sendable (Result<JournalPage, any Error>) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isStopped = false
        var hasEnded = false
    }

    private let database: ReadOnlyDatabase
    private let sealers: [LaneName: BlockSealer]
    /// At most one job a session, by the protocol.
    private let state = WaitableState(State())

    init(database: ReadOnlyDatabase, sealers: [LaneName: BlockSealer]) {
        self.database = database
        self.sealers = sealers
    }

    func start(niceness: Int32) {
        WorkThread.start("lane pages", niceness: niceness) { [self] in
            while let job = takeJob() { job.deliver(Result { try read(job) }) }
            state.change { $0.hasEnded = true }
        }
    }

    func read(_ job: Job) throws -> JournalPage {
        try Journal.read(
            lane: job.lane, from: database, after: job.request.after, kinds: Set(job.request.kinds),
            limit: JournalPage.Limit(
                blocks: Int(clamping: job.request.limit.blocks), bytes: Int(clamping: job.request.limit.bytes)),
            sealer: sealers[job.lane])
    }

    func add(_ job: Job) { state.change { $0.jobs.append(job) } }

    /// Ends the thread after its current page, and waits for it.
    func stop() {
        state.change { $0.isStopped = true }
        state.wait { $0.hasEnded ? .done(()) : .wait }
        try? database.close()
    }

    private func takeJob() -> Job? {
        state.wait { state in
            if state.isStopped { return .done(nil) }
            return state.jobs.isEmpty ? .wait : .done(state.jobs.removeFirst())
        }
    }
}
