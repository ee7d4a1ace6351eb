import Synchronization

/// The place for one answer: the first one given counts, also if it comes before anybody waits. From any thread.
final class ControlAnswer: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<[UInt8], any Error>)
        case given(Result<[UInt8], any Error>)
    }

    private let state = Mutex(State.empty)

    /// Waits for the answer; once.
    func wait(_ continuation: CheckedContinuation<[UInt8], any Error>) {
        let given: Result<[UInt8], any Error>? = state.withLock { state in
            if case .given(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let given { continuation.resume(with: given) }
    }

    func give(_ bytes: [UInt8]) { settle(.success(bytes)) }

    func fail(_ error: any Error) { settle(.failure(error)) }

    private func settle(_ result: Result<[UInt8], any Error>) {
        let waiting: CheckedContinuation<[UInt8], any Error>? = state.withLock { state in
            switch state {
            case .given: return nil
            case .empty:
                state = .given(result)
                return nil
            case .waiting(let continuation):
                state = .given(result)
                return continuation
            }
        }
        waiting?.resume(with: result)
    }
}
