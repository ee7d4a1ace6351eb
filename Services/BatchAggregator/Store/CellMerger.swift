import Dispatch
import Storage
import Synchronization

/// A thread that merges batches beside the one with the database; it starts with the first batch and ends with this object.
///
/// What it has not begun when a batch is needed, the thread with the database merges itself, so it does not wait long for
/// one that gets no core. Confined to the thread with the database.
final class CellMerger {
    /// Batches that nobody has begun to merge. From both threads.
    private final class Inbox: Sendable {
        private struct State {
            var batches: [CellBatch] = []
            var isClosed = false
        }

        private let state = Mutex(State())
        private let came = DispatchSemaphore(value: 0)

        func put(_ batch: CellBatch) {
            state.withLock { $0.batches.append(batch) }
            came.signal()
        }

        func close() {
            state.withLock { $0.isClosed = true }
            came.signal()
        }

        /// Takes a batch back; false if it has been begun.
        func withdraw(_ batch: CellBatch) -> Bool {
            state.withLock { state in
                guard let place = state.batches.firstIndex(where: { $0 === batch }) else { return false }
                state.batches.remove(at: place)
                return true
            }
        }

        /// Waits for the next batch; nil when it is closed.
        func take() -> CellBatch? {
            while true {
                came.wait()
                let (next, isClosed) = state.withLock { state in
                    (state.batches.isEmpty ? nil : state.batches.removeFirst(), state.isClosed)
                }
                if let next { return next }
                // What came was withdrawn.
                if isClosed { return nil }
            }
        }
    }

    private let inbox = Inbox()
    private var hasStarted = false
    private var merging = CellChange.Merging()

    deinit { inbox.close() }

    /// Has a batch merged until it is needed.
    func offer(_ batch: CellBatch) {
        if !hasStarted { start() }
        inbox.put(batch)
    }

    /// Returns when a batch that was offered is merged.
    func finish(_ batch: CellBatch) {
        if inbox.withdraw(batch) { merge(batch) } else { batch.wait() }
    }

    /// Merges a batch that was not offered.
    func merge(_ batch: CellBatch) { batch.merge(&merging) }

    /// Where the thread with the database is of the idle class, this one is, too.
    private func start() {
        hasStarted = true
        WorkThread.start("cell merging", niceness: 0) { [inbox] in
            var merging = CellChange.Merging()
            while let batch = inbox.take() {
                batch.merge(&merging)
                batch.tell()
            }
        }
    }
}
