import Foundation
import Synchronization
import UnixSignals

/// Ctrl-C and SIGTERM during long work: it is told at the next place where it asks, and cleans up after itself.
package final class Interrupt: Sendable {
    /// The work was told to end.
    struct Raised: Error, CustomStringConvertible {
        var description: String { "interrupted; nothing was left behind" }
    }

    private let isRaised = Atomic(false)

    package init() {}

    func raise() { isRaised.store(true, ordering: .relaxed) }

    /// Throws if the work is to end.
    func check() throws { if isRaised.load(ordering: .relaxed) { throw Raised() } }

    /// Runs blocking work on a thread of its own, interrupted by signals.
    static func watching<Result: Sendable>(
        _ work: @escaping @Sendable (Interrupt) throws -> Result
    ) async throws -> Result {
        let interrupt = Interrupt()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let listener = Task {
            for await _ in signals { interrupt.raise() }
        }
        defer { listener.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Swift.Result { try work(interrupt) }) }.start()
        }
    }
}
