import Dispatch
import Models

/// Changes that one thread looks up and writes, and that one or another merges in between (``CellMerger``). Keeps its memory.
///
/// `@unchecked Sendable`: one thread has it at a time. The one that fills and writes it does not touch it from ``CellMerger/offer(_:)``
/// until ``CellMerger/finish(_:)`` returns; the other takes it out of the inbox, under its lock, and signals when it is merged.
final class CellBatch: @unchecked Sendable {
    /// Of how many changes, or bytes of them, it is full.
    static let size = 32, bytes = 256 << 10

    private var changes: [CellChange] = []
    private var count = 0
    private var byteCount = 0
    /// A cell whose stored figures are none.
    private(set) var corrupt: CellKey?
    private let isMerged = DispatchSemaphore(value: 0)

    var isFull: Bool { count >= Self.size || byteCount >= Self.bytes }

    var all: ArraySlice<CellChange> { changes[..<count] }

    /// The change behind the last one.
    var next: CellChange {
        if count == changes.count { changes.append(CellChange()) }
        return changes[count]
    }

    /// Takes ``next``.
    func take() {
        byteCount += changes[count].byteCount
        count += 1
    }

    /// Begins anew.
    func removeAll() {
        for place in 0..<count where changes[place].byteCount > CellChange.keptBytes { changes[place] = CellChange() }
        (count, byteCount, corrupt) = (0, 0, nil)
    }

    func merge(_ merging: inout CellChange.Merging) {
        for change in all where !change.merge(&merging) {
            corrupt = change.cell
            break
        }
    }

    /// Tells the thread that waits that it is merged.
    func tell() { isMerged.signal() }

    /// Waits until the thread that merges it has told; false if it has not after a time.
    func wait(_ time: DispatchTimeInterval) -> Bool { isMerged.wait(timeout: .now() + time) == .success }
}
