internal import Synchronization

/// Which blocks were written anew without erased rows, so that downloads under way let go of what they have read of them.
///
/// Thread-safe: added to by the writer after its commit, asked by readers. A reader takes ``count`` before it reads; what is
/// rewritten later is then told by ``touch(_:since:)``.
final class RewrittenBlocks: Sendable {
    /// Blocks that are remembered; of whoever is further behind everything counts as rewritten.
    static let kept = 4_096

    private struct State {
        var last: [Int64] = []
        var count = 0
    }

    private let state = Mutex(State())

    /// Blocks that were ever rewritten by this process.
    var count: Int { state.withLock { $0.count } }

    /// - Parameter sequences: places of the blocks.
    func add(_ sequences: [Int64]) {
        state.withLock { state in
            state.last += sequences
            state.count += sequences.count
            if state.last.count > Self.kept { state.last.removeFirst(state.last.count - Self.kept) }
        }
    }

    /// Whether any block of a range of places was rewritten after there had been `before`.
    func touch(_ range: ClosedRange<Int64>, since before: Int) -> Bool {
        state.withLock { state in
            let new = state.count - before
            return new > state.last.count || state.last.suffix(new).contains(where: range.contains)
        }
    }
}
