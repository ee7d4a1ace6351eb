import Dispatch
import Models
import Storage

/// Changes of cells on their way: their sums are made, they are looked up, merged and written. Keeps its memory.
///
/// `@unchecked Sendable`: one thread has it at a time. Between the threads of ``CellWorker`` it goes through a ``CellInbox``, under
/// its lock, and by ``tell()``.
final class CellBatch: @unchecked Sendable {
    /// Of how many changes, or bytes of their sums, it is full.
    static let size = 32, bytes = 128 << 10

    private var changes: [CellChange] = []
    /// Whether it is the rest of another.
    private(set) var isSplitOff = false
    private var count = 0
    private var byteCount = 0
    /// A cell whose stored figures are none.
    private(set) var corrupt: CellKey?
    private let isMerged = DispatchSemaphore(value: 0)

    var isFull: Bool { count >= Self.size || byteCount >= Self.bytes }

    var all: ArraySlice<CellChange> { changes[..<count] }

    /// Adds a change by a sum, of which it takes a copy.
    func append(_ sum: CellSum, of cell: CellKey) {
        if count == changes.count { changes.append(CellChange()) }
        changes[count].begin(sum, of: cell)
        byteCount += sum.byteCount
        count += 1
    }

    /// Takes the changes from a place on into a batch of their own.
    func split(at place: Int) -> CellBatch {
        let rest = CellBatch()
        rest.isSplitOff = true
        (rest.changes, rest.count) = (Array(changes[place..<count]), count - place)
        changes.removeSubrange(place..<count)
        count = place
        return rest
    }

    /// Begins anew.
    func removeAll() {
        for place in 0..<count where changes[place].byteCount > CellChange.keptBytes { changes[place] = CellChange() }
        (count, byteCount, corrupt) = (0, 0, nil)
    }

    func merge(_ merging: inout CellChange.Merging) {
        for change in all {
            IdleTurn.giveWay()
            guard change.merge(&merging) else { return corrupt = change.cell }
        }
    }

    /// Tells the thread that waits that it is merged.
    func tell() { isMerged.signal() }

    /// Waits until who merges it has told; false if nobody has after a time.
    func wait(_ time: DispatchTimeInterval) -> Bool { isMerged.wait(timeout: .now() + time) == .success }
}
