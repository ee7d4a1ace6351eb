import Foundation
import Storage
import Synchronization

/// A thread that breaks a database's checkpoints off, again and again.
final class CheckpointBreaker: Sendable {
    private let isStopping = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ database: ServiceDatabase) {
        Thread { [self] in
            while !isStopping.load(ordering: .relaxed) { database.breakCheckpoint() }
            hasEnded.signal()
        }.start()
    }

    func stop() {
        isStopping.store(true, ordering: .relaxed)
        hasEnded.wait()
    }
}
