import Foundation
import Synchronization

/// The seeds that are left, handed to several threads, and what failed.
final class SeedBoard: Sendable {
    private struct State {
        var left: ArraySlice<UInt64>
        var failures: [String] = []
    }

    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    init(_ seeds: [UInt64]) {
        state = Mutex(State(left: seeds[...]))
    }

    var failures: [String] { state.withLock { $0.failures } }

    func take() -> UInt64? {
        state.withLock { $0.left.popFirst() }
    }

    /// Notes a failure, and prints it; after twenty, or at once if asked, nothing more is handed out.
    func report(_ failure: String, stops: Bool) {
        print(failure)
        fflush(nil)
        state.withLock { state in
            state.failures.append(failure)
            if stops || state.failures.count >= 20 { state.left = [] }
        }
    }

    func end() {
        ended.signal()
    }

    func waitForAll(_ count: Int) {
        for _ in 0..<count { ended.wait() }
    }
}
