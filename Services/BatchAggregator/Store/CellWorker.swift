import Dispatch
import Storage

/// A thread that works beside the one with the database: it makes the sums of slices and merges them with what is stored; it
/// starts with the first slice and ends with this object.
///
/// What it has not begun to merge when that is needed, the thread with the database merges itself, and when it gets no core for
/// what it alone can do, it is hurried. Confined to the thread with the database.
final class CellWorker {
    /// How long nobody wonders where a batch is that takes a third of a millisecond.
    private static let patience = DispatchTimeInterval.milliseconds(20)

    private let inbox: CellInbox
    private let turn = IdleTurn()
    private var hasStarted = false
    private var merging = CellChange.Merging()

    /// - Parameter batches: how many there are; one is filled, another is looked up.
    init(batches: Int) { inbox = CellInbox(batches: batches) }

    deinit { inbox.close() }

    /// Has the sums of a slice made.
    func begin(_ slice: FoldSlice) {
        if !hasStarted { start() }
        inbox.put(slice)
    }

    /// The next sums of the slice; nil if there are no more.
    func next() -> CellBatch? {
        while true {
            switch inbox.takeSums() {
            case .batch(let batch): return batch
            case .end: return nil
            case .none: waitForSums()
            }
        }
    }

    /// Does what else is to be done before.
    private func waitForSums() {
        if let batch = inbox.withdraw() {
            merge(batch)
            batch.tell()
        } else if !inbox.waitForSums(Self.patience) {
            // Who hurries this thread does not know of the other.
            turn.hurry()
        }
    }

    /// Returns when nothing is made any more of a slice that failed.
    func giveUp() {
        inbox.giveUp()
        while let batch = next() { recycle(batch) }
    }

    /// Has a batch merged that was looked up.
    func offer(_ batch: CellBatch) { inbox.offer(batch) }

    /// Returns when a batch that was offered is merged.
    func finish(_ batch: CellBatch) {
        if inbox.withdraw(batch) != nil { return merge(batch) }
        while !batch.wait(Self.patience) { turn.hurry() }
    }

    /// Merges a batch that was not offered.
    func merge(_ batch: CellBatch) { batch.merge(&merging) }

    /// A batch has been written.
    func recycle(_ batch: CellBatch) { inbox.recycle(batch) }

    /// At the nice level of the thread with the database.
    private func start() {
        hasStarted = true
        WorkThread.start("cell sums", niceness: 0, idle: turn) { [inbox, turn] in CellRounds(inbox, turn).run() }
    }
}

/// What the thread does. Confined to it.
private final class CellRounds: BatchTaker {
    private struct GivenUp: Error {}

    private let inbox: CellInbox
    private let turn: IdleTurn
    private var sums = SliceSums()
    private var merging = CellChange.Merging()

    init(_ inbox: CellInbox, _ turn: IdleTurn) {
        self.inbox = inbox
        self.turn = turn
    }

    func run() {
        while !inbox.isClosed {
            switch inbox.take(isSumming: false) {
            case .sum(let slice): inbox.endSums(try? sums.make(slice, into: empty(), for: self))
            case .merge(let batch): merge(batch)
            case .fill, nil: break
            }
            turn.endRound()
        }
    }

    func pass(_ batch: CellBatch) throws -> CellBatch {
        inbox.put(filled: batch)
        return try empty()
    }

    /// The next empty batch. Merges before and until there is one.
    private func empty() throws -> CellBatch {
        while true {
            turn.endRound()
            guard inbox.isWanted else { throw GivenUp() }
            switch inbox.take(isSumming: true) {
            case .fill(let batch): return batch
            case .merge(let batch): merge(batch)
            case .sum, nil: break
            }
        }
    }

    private func merge(_ batch: CellBatch) {
        batch.merge(&merging)
        batch.tell()
    }
}
