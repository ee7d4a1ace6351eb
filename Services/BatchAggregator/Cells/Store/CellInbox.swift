import Dispatch
import Synchronization

/// What goes between the thread with the database and the one that works for it (``CellWorker``).
///
///     empty ─▶ filled with sums ─▶ looked up, to be merged ─▶ merged, written ─▶ empty
///
/// There are few batches, so neither thread runs far ahead. From both threads.
final class CellInbox: Sendable {
    /// What the working thread is to do.
    enum Work {
        case sum(FoldSlice)
        case merge(CellBatch)
        /// Fill this one.
        case fill(CellBatch)
    }

    /// What there is for the thread with the database.
    enum Sums {
        case batch(CellBatch)
        /// The slice has no more.
        case end
        /// They are being made.
        case none
    }

    private struct State {
        var empty: [CellBatch]
        var filled: [CellBatch] = []
        var unmerged: [CellBatch] = []
        var slice: FoldSlice?
        /// Whether sums of a slice are wanted or made.
        var isSumming = false
        var isGivenUp = false
        /// What kept the sums of the slice from being made.
        var failure: (any Error)?
        var isClosed = false
        /// Who is to be woken.
        var isWorkerWaiting = false, isWriterWaiting = false
    }

    private let state: Mutex<State>
    private let work = DispatchSemaphore(value: 0), sums = DispatchSemaphore(value: 0)

    /// - Parameter batches: how many there are.
    init(batches: Int) { state = Mutex(State(empty: (0..<batches).map { _ in CellBatch() })) }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Makes a change that the working thread may wait for.
    private func forWorker(_ change: (inout State) -> Void) { self.change(waking: \.isWorkerWaiting, work, change) }

    /// Makes a change that the thread with the database may wait for.
    private func forWriter(_ change: (inout State) -> Void) { self.change(waking: \.isWriterWaiting, sums, change) }

    private func change(
        waking isWaiting: WritableKeyPath<State, Bool>, _ bell: DispatchSemaphore, _ change: (inout State) -> Void
    ) {
        let wakes = state.withLock { state in
            change(&state)
            defer { state[keyPath: isWaiting] = false }
            return state[keyPath: isWaiting]
        }
        if wakes { bell.signal() }
    }

    // The thread with the database.

    /// Has the sums of a slice made. The one before must have ended.
    func put(_ slice: FoldSlice) {
        forWorker { ($0.slice, $0.isSumming, $0.failure) = (slice, true, nil) }
    }

    /// Takes a slice back; false if it has been begun.
    func withdrawSlice() -> Bool {
        state.withLock { state in
            guard state.slice != nil else { return false }
            (state.slice, state.isSumming) = (nil, false)
            return true
        }
    }

    /// Who takes none is told when there may be some (``waitForSums(_:)``).
    func takeSums() throws -> Sums {
        try state.withLock { state in
            if !state.filled.isEmpty { return .batch(state.filled.removeFirst()) }
            if let failure = state.failure { throw failure }
            state.isWriterWaiting = state.isSumming
            return state.isSumming ? .none : .end
        }
    }

    /// Waits until there may be sums; false if there are none after a time.
    func waitForSums(_ time: DispatchTimeInterval) -> Bool { sums.wait(timeout: .now() + time) == .success }

    /// Has a batch merged.
    func offer(_ batch: CellBatch) { forWorker { $0.unmerged.append(batch) } }

    /// Takes a batch back, or the first that was offered; nil if it has been begun.
    func withdraw(_ batch: CellBatch? = nil) -> CellBatch? {
        state.withLock { state in
            guard let place = state.unmerged.firstIndex(where: { batch == nil || $0 === batch }) else { return nil }
            return state.unmerged.remove(at: place)
        }
    }

    /// Gives back a batch that has been written.
    func recycle(_ batch: CellBatch) {
        batch.removeAll()
        forWorker { $0.empty.append(batch) }
    }

    /// No more sums of the slice are wanted.
    func giveUp() {
        if !withdrawSlice() { forWorker { ($0.isGivenUp, $0.failure) = ($0.isSumming, nil) } }
    }

    func close() { forWorker { $0.isClosed = true } }

    // The thread that works for it.

    /// Waits up to a second for something to do; nil if there is nothing.
    ///
    /// - Parameter isSumming: amid a slice; then for an empty batch, too, and not for a slice.
    func take(isSumming: Bool) -> Work? {
        if let found = find(isSumming) { return found }
        _ = work.wait(timeout: .now() + .seconds(1))
        return find(isSumming)
    }

    private func find(_ isSumming: Bool) -> Work? {
        state.withLock { state in
            if !state.unmerged.isEmpty { return .merge(state.unmerged.removeFirst()) }
            if isSumming, let batch = state.empty.popLast() { return .fill(batch) }
            if !isSumming, let slice = state.slice {
                state.slice = nil
                return .sum(slice)
            }
            state.isWorkerWaiting = true
            return nil
        }
    }

    /// Whether what is being summed is still wanted.
    var isWanted: Bool { state.withLock { !$0.isGivenUp && !$0.isClosed } }

    /// Hands over sums.
    func put(filled batch: CellBatch) { forWriter { $0.filled.append(batch) } }

    /// There are no more sums of the slice than these.
    ///
    /// - Parameter failure: why they are not all.
    func endSums(_ rest: CellBatch?, _ failure: (any Error)? = nil) {
        forWriter {
            if let rest { $0.filled.append(rest) }
            $0.failure = failure
            ($0.isSumming, $0.isGivenUp) = (false, false)
        }
    }
}
