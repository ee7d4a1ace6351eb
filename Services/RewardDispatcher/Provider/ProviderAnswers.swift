internal import Synchronization

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
