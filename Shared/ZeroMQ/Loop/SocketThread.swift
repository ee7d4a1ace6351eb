internal import CLinux
internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// The one thread of a service that owns all its sockets.
///
/// It sleeps in `zmq_poll` over its sockets and one eventfd; the rest of the program hands it work with `enqueue`, which
/// writes that eventfd. (`ZMQ_FD` on another event loop would be edge-triggered and lose wake-ups.)
///
/// ```
///   any thread ── enqueue ──▶ queue + eventfd ──▶ socket thread: queue → messages → timers → zmq_poll …
/// ```
public final class SocketThread: Sendable {
    /// Something handed over, and what happens to it if the thread stops first.
    private struct Job: Sendable {
        let run: @Sendable (SocketLoop) -> Void
        let abandon: @Sendable () -> Void
    }

    private enum Phase { case idle, running, stopping, stopped }

    private struct State {
        var phase = Phase.idle
        var jobs: [Job] = []
        var thread: pthread_t?
    }

    public let name: String
    private let context: Context
    private let isPrompt: Bool
    private let wakeUp: Int32
    private let state = Mutex(State())
    private let onFailure: @Sendable (ZeroMQError) -> Void

    /// - Parameters:
    ///   - name: shown by the system's tools; its first 15 bytes.
    ///   - isPrompt: whether it and libzmq's threads below it run in short slices and soon after they wake, for sockets that an
    ///     alarm passes.
    ///   - onFailure: called on the thread if it must end by itself, because `zmq_poll` or a receive failed; the service
    ///     should then end too.
    public init(
        name: String, context: Context, isPrompt: Bool = false,
        onFailure: @escaping @Sendable (ZeroMQError) -> Void = { _ in }
    ) {
        self.name = name
        self.context = context
        self.isPrompt = isPrompt
        self.onFailure = onFailure
        wakeUp = nkul_eventfd()
        precondition(wakeUp >= 0, "eventfd: errno \(errno)")
    }

    deinit {
        _ = Glibc.close(wakeUp)
    }

    /// Starts the thread, which then keeps this object alive until `stop`; work enqueued before waits until now. Does nothing
    /// if it was started before.
    public func start() {
        state.withLock { state in
            guard state.phase == .idle else { return }
            state.phase = .running
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { argument in
                    Unmanaged<SocketThread>.fromOpaque(argument!).takeRetainedValue().run()
                    return nil
                }, Unmanaged.passRetained(self).toOpaque())
            precondition(code == 0, "pthread_create: errno \(code)")
            state.thread = thread
        }
    }

    /// Ends the thread after its current turn and what is queued by now, closes its sockets, and returns when that is done.
    ///
    /// Never waits for messages that could not be sent. Later work is dropped, and a later `call` throws `isStopped`. May
    /// be called again; must not be called on the socket thread.
    public func stop() {
        let thread = state.withLock { state -> pthread_t? in
            switch state.phase {
            case .idle: state.phase = .stopped
            case .running: state.phase = .stopping
            case .stopping, .stopped: break
            }
            defer { state.thread = nil }
            return state.thread
        }
        _ = nkul_eventfd_signal(wakeUp)
        if let thread {
            precondition(pthread_equal(thread, pthread_self()) == 0, "a socket thread cannot wait for its own end")
            pthread_join(thread, nil)
        }
        abandonJobs()
    }

    /// Hands work to the socket thread; returns at once.
    ///
    /// Cross over per block or event, never per record: each crossing may cost a wake-up. The queue itself has no limit;
    /// callers bound what they hand over (lanes by credit, HTTP by admission). After `stop` the work is dropped.
    public func enqueue(_ body: @escaping @Sendable (SocketLoop) -> Void) {
        add(Job(run: body, abandon: {}))
    }

    /// Runs a body on the socket thread and waits for its result; for setting up and for tests.
    ///
    /// - Throws: what the body throws; `isStopped` if the thread ends first. Must not be called on the socket thread.
    public func call<T: Sendable>(_ body: @escaping @Sendable (SocketLoop) throws -> T) throws -> T {
        let isOwnThread = state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        precondition(!isOwnThread, "the socket thread cannot wait for itself")
        let reply = Reply<T>()
        add(
            Job(
                run: { loop in reply.give(Result { try body(loop) }) },
                abandon: { reply.give(.failure(ZeroMQError(.call, code: ZeroMQError.stopped))) }))
        return try reply.wait().get()
    }

    /// Appends and signals. The signal follows the append, and the thread drains the eventfd before it takes the queue,
    /// so whatever is queued is either seen in this turn or signalled for the next.
    private func add(_ job: Job) {
        let (accepted, signal) = state.withLock { state in
            guard state.phase == .idle || state.phase == .running else { return (false, false) }
            state.jobs.append(job)
            return (true, state.jobs.count == 1)
        }
        if signal { _ = nkul_eventfd_signal(wakeUp) }
        if !accepted { job.abandon() }
    }

    private func run() {
        _ = name.prefixBytes(15).withCString { nkul_name_this_thread($0) }
        // libzmq starts its threads with the context's first socket, that is on this one, and they have its slice.
        if isPrompt { _ = nkul_set_slice(UInt64(nkul_prompt_slice)) }
        let loop = SocketLoop(context: context)
        do throws(ZeroMQError) {
            while true {
                let (jobs, isLast) = takeJobs()
                for job in jobs { job.run(loop) }
                if isLast { break }
                loop.runDueTimers()
                try loop.runOnce(wakeUp: wakeUp)
            }
        } catch {
            state.withLock { $0.phase = .stopped }
            onFailure(error)
        }
        loop.closeAll()
        abandonJobs()
    }

    /// What is queued, and whether the thread shall end after it.
    private func takeJobs() -> (jobs: [Job], isLast: Bool) {
        state.withLock { state in
            defer { state.jobs = [] }
            return (state.jobs, state.phase != .running)
        }
    }

    private func abandonJobs() {
        let jobs = state.withLock { state in
            if state.phase == .stopping { state.phase = .stopped }
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.abandon() }
    }

}

extension String {
    /// The longest prefix of whole characters within a number of bytes.
    fileprivate func prefixBytes(_ count: Int) -> String {
        var text = self
        while text.utf8.count > count { text.removeLast() }
        return text
    }
}

/// Something that belongs to a socket thread, on its way through code that runs elsewhere.
///
/// Any thread may hold and pass it; only the socket thread has a loop in its hands and so can take it out.
public struct SocketConfined<Value>: @unchecked Sendable {
    // Made and opened with a `SocketLoop` as proof, which is not `Sendable` and exists on the socket thread only.
    // The last release of a class may happen elsewhere, so a `deinit` of it must not rely on the thread.
    private let value: Value

    public init(_ value: Value, of loop: SocketLoop) {
        self.value = value
    }

    /// The value, for code on the socket thread.
    public func on(_ loop: SocketLoop) -> Value { value }
}
