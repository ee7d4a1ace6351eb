internal import Synchronization

/// Things that other threads want done on the thread that writes a service's database, between its transactions.
///
/// The way in for `nkul admin`: rare, small, and bounded, so that the path of records does not notice. `perform` may be
/// called from any task; ``run(on:)`` belongs to the writing thread.
public final class WriterRequests<Writer>: Sendable {
    /// Requests that may wait; more are refused.
    public static var mostWaiting: Int { 64 }

    private struct Job: Sendable {
        let run: @Sendable (Writer) -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void
    private let tell: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - wake: lets the writing thread come by soon; called on the thread that asks.
    ///   - tell: calls what it is given, which answers somebody; called on the writing thread.
    public init(
        wake: @escaping @Sendable () -> Void,
        tell: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) {
        self.wake = wake
        self.tell = tell
    }

    /// Has a body run on the writing thread and waits for its result.
    ///
    /// - Throws: what the body throws; ``WriterRefusal`` if the thread has ended or too much waits for it.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (Writer) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { waiting in
            let job = Job(
                run: { [tell] writer in
                    let result = Swift.Result { try body(writer) }
                    tell { waiting.resume(with: result) }
                }, refuse: { [tell] error in tell { waiting.resume(throwing: error) } })
            if let refusal = add(job) { waiting.resume(throwing: refusal) } else { wake() }
        }
    }

    /// Does what waits.
    public func run(on writer: Writer) {
        for job in take(closing: false) { job.run(writer) }
    }

    /// Refuses what waits and all that comes.
    public func close() {
        for job in take(closing: true) { job.refuse(WriterRefusal.stopped) }
    }

    private func add(_ job: Job) -> WriterRefusal? {
        state.withLock { state in
            guard !state.isClosed else { return .stopped }
            guard state.jobs.count < Self.mostWaiting else { return .busy }
            state.jobs.append(job)
            return nil
        }
    }

    private func take(closing: Bool) -> [Job] {
        state.withLock { state in
            state.isClosed = state.isClosed || closing
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}

/// Why a writing thread did not do what was asked.
public enum WriterRefusal: String, Error, CustomStringConvertible {
    case stopped = "the service is stopping"
    case busy = "the service has too much to do; try again"

    public var description: String { rawValue }
}
