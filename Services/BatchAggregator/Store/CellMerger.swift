import Dispatch
import Storage
import Synchronization

/// A thread that merges batches beside the one with the database; it starts with the first batch and ends with this object.
///
/// What it has not begun when a batch is needed, the thread with the database merges itself, and what it has begun and gets no
/// core for, it hurries with. Confined to the thread with the database.
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

        /// Waits up to a second for the next batch; nil if there is none, or what came was withdrawn.
        func take() -> CellBatch? {
            if came.wait(timeout: .now() + .seconds(1)) == .timedOut { return nil }
            return state.withLock { $0.batches.isEmpty ? nil : $0.batches.removeFirst() }
        }

        var isClosed: Bool { state.withLock(\.isClosed) }
    }

    /// How long nobody wonders where a batch is that takes a third of a millisecond.
    private static let patience = DispatchTimeInterval.milliseconds(20)

    private let inbox = Inbox()
    private let turn = IdleTurn()
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
        if inbox.withdraw(batch) { return merge(batch) }
        // Who hurries this thread does not know of the other.
        while !batch.wait(Self.patience) { turn.hurry() }
    }

    /// Merges a batch that was not offered.
    func merge(_ batch: CellBatch) { batch.merge(&merging) }

    /// At the nice level of the thread with the database.
    private func start() {
        hasStarted = true
        WorkThread.start("cell merging", niceness: 0, idle: turn) { [inbox, turn] in
            var merging = CellChange.Merging()
            while !inbox.isClosed {
                if let batch = inbox.take() {
                    batch.merge(&merging)
                    batch.tell()
                }
                turn.endRound()
            }
        }
    }
}
