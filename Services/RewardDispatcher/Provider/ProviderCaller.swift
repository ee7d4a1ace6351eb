public import ServiceLifecycle
internal import Synchronization

/// Carries out calls to the provider, each in a task of its own, and sees to it that each is answered exactly once.
///
/// How many run at the same time is bounded by who gives them. What is on the way when the program stops is answered as
/// unknown, and asked about after the next start.
public final class ProviderCaller: Service {
    private let provider: any RewardProvider
    private let timeout: Duration
    private let answered: @Sendable (ProviderCall, ProviderAnswer) -> Void
    private let calls: AsyncStream<ProviderCall>
    private let entrance: AsyncStream<ProviderCall>.Continuation

    /// - Parameters:
    ///   - timeout: longest that a call may take; then its outcome is unknown.
    ///   - answered: takes the answers; from any thread.
    public init(
        _ provider: any RewardProvider, timeout: Duration,
        answered: @escaping @Sendable (ProviderCall, ProviderAnswer) -> Void
    ) {
        self.provider = provider
        self.timeout = timeout
        self.answered = answered
        (calls, entrance) = AsyncStream.makeStream(of: ProviderCall.self)
    }

    /// Takes calls; returns at once. From any thread.
    public func carryOut(_ calls: [ProviderCall]) {
        for call in calls { entrance.yield(call) }
    }

    /// Until the program is asked to stop.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await call in calls.cancelOnGracefulShutdown() {
                group.addTask { [self] in answered(call, await answer(to: call)) }
            }
            group.cancelAll()
        }
    }

    private func answer(to call: ProviderCall) async -> ProviderAnswer {
        await withTaskGroup(of: ProviderAnswer.self) { [provider, timeout] group in
            group.addTask { call.purpose.isOrder ? await provider.pay(call) : await provider.ask(call) }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return .silent("no answer within \(timeout)")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .unknown("not called")
        }
    }
}

/// Answers of the provider that wait for the thread that books them. Usable from any thread.
///
/// Bounded by the number of calls at once: each call is answered once.
public final class ProviderAnswers: Sendable {
    private let waiting = Mutex<[(call: ProviderCall, answer: ProviderAnswer)]>([])

    public func add(_ answer: ProviderAnswer, to call: ProviderCall) {
        waiting.withLock { $0.append((call, answer)) }
    }

    var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    func take() -> [(call: ProviderCall, answer: ProviderAnswer)] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
