import Dispatch
import Storage

/// A thread that works beside the one with the database: it makes the sums of slices and merges them with what is stored; it
/// starts with the first slice that is given to it and ends with this object.
///
/// What it has not begun when that is needed, the thread with the database does itself: a slice, or to merge a batch. When it gets
/// no core for what it has begun, it is hurried, so that it is never slower than who waits. Confined to the thread with the database.
final class CellWorker {
    /// How long nobody wonders where a batch is that takes a third of a millisecond.
    private static let patience = DispatchTimeInterval.milliseconds(20)

    /// Rounds of the other thread in which it has filled or merged a few batches.
    private static let rounds = 10

    private let rules: CountingRules
    private let inbox: CellInbox
    private let turn = IdleTurn()
    private var hasStarted = false
    /// Whether sums of this slice had to be waited for.
    private var isLate = false
    private var merging = CellChange.Merging()

    /// - Parameter batches: how many there are; one is filled, another is looked up.
    init(_ rules: CountingRules, batches: Int) {
        self.rules = rules
        inbox = CellInbox(batches: batches)
    }

    deinit { inbox.close() }

    /// What there is of a slice.
    enum Next {
        case batch(CellBatch)
        /// There are no more sums.
        case end
        /// It has not been begun and will not be.
        case notBegun
    }

    /// Has the sums of a slice made.
    func begin(_ slice: FoldSlice) {
        if hasStarted { follow() } else { start() }
        isLate = false
        inbox.put(slice)
    }

    /// The next sums of the slice.
    ///
    /// - Throws: what kept them from being made.
    func next() throws -> Next {
        while true {
            switch try inbox.takeSums() {
            case .batch(let batch):
                follow()
                return .batch(batch)
            case .end: return .end
            case .none: if !waitForSums() { return .notBegun }
            }
        }
    }

    /// Makes the other thread as urgent as this one for a few rounds; while this one is of the idle class, so is the other. A wait for
    /// a batch that gets no core takes ``patience``, as long as sixty batches.
    private func follow() { turn.follow(rounds: Self.rounds) }

    /// Does what else is to be done before; false if nobody has begun with the slice, which is then taken back.
    private func waitForSums() -> Bool {
        if let batch = inbox.withdraw() {
            merge(batch)
            batch.tell()
            return true
        }
        // Who hurries this thread does not know of the other. Else the other is not to be in the way of alarms either.
        if isLate, !IdleTurn.isOfThisThread { turn.catchUp() }
        if inbox.waitForSums(Self.patience) { return true }
        isLate = true
        turn.catchUp()
        return !inbox.withdrawSlice()
    }

    /// Returns when nothing is made any more of a slice that failed.
    func giveUp() {
        inbox.giveUp()
        while true {
            do {
                guard case .batch(let batch) = try next() else { return }
                recycle(batch)
            } catch {
                // Why the slice failed was told when it did, or is of no interest any more.
                return
            }
        }
    }

    /// Has a batch merged that was looked up.
    func offer(_ batch: CellBatch) { inbox.offer(batch) }

    /// Returns when a batch that was offered is merged.
    func finish(_ batch: CellBatch) {
        if inbox.withdraw(batch) != nil { return merge(batch) }
        while !batch.wait(Self.patience) { turn.catchUp() }
    }

    /// Merges a batch that was not offered.
    func merge(_ batch: CellBatch) { batch.merge(&merging) }

    /// A batch has been written.
    func recycle(_ batch: CellBatch) { inbox.recycle(batch) }

    /// At the nice level of the thread with the database.
    private func start() {
        hasStarted = true
        WorkThread.start("cell sums", niceness: 0, idle: turn) { [rules, inbox, turn] in
            CellRounds(rules, inbox, turn).run()
        }
    }
}

/// What the thread does. Confined to it.
private final class CellRounds: BatchTaker {
    private struct GivenUp: Error {}

    private let inbox: CellInbox
    private let turn: IdleTurn
    private var sums: SliceSums
    private var merging = CellChange.Merging()

    init(_ rules: CountingRules, _ inbox: CellInbox, _ turn: IdleTurn) {
        sums = SliceSums(rules)
        self.inbox = inbox
        self.turn = turn
    }

    func run() {
        while !inbox.isClosed {
            switch inbox.take(isSumming: false) {
            case .sum(let slice): sum(slice)
            case .merge(let batch): merge(batch)
            case .fill, nil: break
            }
            turn.endRound()
        }
    }

    private func sum(_ slice: FoldSlice) {
        do { inbox.endSums(try sums.make(slice, into: empty(), for: self)) } catch is GivenUp {
            inbox.endSums(nil)
        } catch {
            inbox.endSums(nil, error)
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
