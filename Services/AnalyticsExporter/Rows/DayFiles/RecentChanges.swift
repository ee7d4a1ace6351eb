internal import Synchronization

/// Which of some numbered things have changed, so that whoever has read them before lets go of them: blocks that were written
/// anew without erased rows, hours whose rows are no longer the same.
///
/// Thread-safe: added to by the writer, asked by readers. A reader takes ``count`` before it reads; what changes later is then
/// told by ``touch(_:since:)``.
package final class RecentChanges: Sendable {
    /// Numbers that are remembered; of whoever is further behind everything counts as changed.
    static let kept = 4_096

    private struct State {
        var last: [Int64] = []
        var count = 0
    }

    private let state = Mutex(State())

    /// Changes that this process ever heard of.
    package var count: Int { state.withLock { $0.count } }

    /// - Parameter numbers: places of blocks, or hours.
    package func add(_ numbers: some Collection<Int64>) {
        state.withLock { state in
            state.last += numbers
            state.count += numbers.count
            if state.last.count > Self.kept { state.last.removeFirst(state.last.count - Self.kept) }
        }
    }

    /// Whether any of a range of numbers has changed after there had been `before` changes.
    package func touch(_ range: ClosedRange<Int64>, since before: Int) -> Bool {
        state.withLock { state in
            let new = state.count - before
            return new > state.last.count || state.last.suffix(new).contains(where: range.contains)
        }
    }

    package init() {}
}
