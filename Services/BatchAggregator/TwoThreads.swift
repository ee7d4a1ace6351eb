import Dispatch
import Foundation
import Lanes
import Storage
import Synchronization

/// Makes the open rows of blocks, on this thread and on one beside it, which starts when several blocks come together for the
/// first time and ends with this object.
///
/// Each takes the next block until there is none, so the other thread does as much as it gets a core for. Confined to the thread
/// that writes the database.
final class OpenRowPreparer {
    /// Blocks for which another thread is worth waking.
    private static let several = 4
    /// How long nobody wonders where the rows of a block are, which take half a millisecond.
    private static let patience = DispatchTimeInterval.milliseconds(20)

    private let timeZone: TimeZone
    private var maker: OpenRowMaker
    private let inbox = Inbox()
    private let turn = IdleTurn()
    private var hasStarted = false

    init(timeZone: TimeZone) {
        self.timeZone = timeZone
        maker = OpenRowMaker(timeZone: timeZone)
    }

    deinit { inbox.close() }

    /// The open rows of each block, by local day.
    func rows(of blocks: [LaneBlock]) throws -> [OpenRowMaker.Rows] {
        guard blocks.count >= Self.several else { return try blocks.map { try maker.rows(of: $0) } }
        if !hasStarted { start() }
        let round = Round(blocks)
        inbox.put(round)
        round.work(&maker)
        // What is left, the other thread has begun.
        while !round.wait(Self.patience) { turn.hurry() }
        return try round.rows()
    }

    /// At the nice level of this thread.
    private func start() {
        hasStarted = true
        WorkThread.start("open rows", niceness: 0, idle: turn) { [inbox, turn, timeZone] in
            var maker = OpenRowMaker(timeZone: timeZone)
            while !inbox.isClosed {
                inbox.take()?.work(&maker)
                turn.endRound()
            }
        }
    }

    /// Where the other thread finds its work. From both threads.
    private final class Inbox: Sendable {
        private let state = Mutex<(round: Round?, isClosed: Bool)>((nil, false))
        private let came = DispatchSemaphore(value: 0)

        var isClosed: Bool { state.withLock(\.isClosed) }

        func put(_ round: Round) {
            state.withLock { $0.round = round }
            came.signal()
        }

        func close() {
            state.withLock { $0.isClosed = true }
            came.signal()
        }

        /// Waits up to a second; nil if nothing has come.
        func take() -> Round? {
            _ = came.wait(timeout: .now() + .seconds(1))
            return state.withLock { state in
                defer { state.round = nil }
                return state.round
            }
        }
    }

    /// Blocks that come together. From both threads.
    private final class Round: Sendable {
        private struct State {
            /// The next block that nobody has begun.
            var next = 0
            var made: [Result<OpenRowMaker.Rows, any Error>?]
            var left: Int
        }

        private let blocks: [LaneBlock]
        private let state: Mutex<State>
        private let areMade = DispatchSemaphore(value: 0)

        init(_ blocks: [LaneBlock]) {
            self.blocks = blocks
            state = Mutex(State(made: Array(repeating: nil, count: blocks.count), left: blocks.count))
        }

        /// Makes rows until no block is left to begin.
        func work(_ maker: inout OpenRowMaker) {
            while let number = take() {
                let made = Result { try maker.rows(of: blocks[number]) }
                let isLast = state.withLock { state in
                    state.made[number] = made
                    state.left -= 1
                    return state.left == 0
                }
                if isLast { areMade.signal() }
            }
        }

        /// Waits until all are made; false if they are not after a time.
        func wait(_ time: DispatchTimeInterval) -> Bool { areMade.wait(timeout: .now() + time) == .success }

        /// When all are made.
        func rows() throws -> [OpenRowMaker.Rows] { try state.withLock(\.made).map { try $0!.get() } }

        private func take() -> Int? {
            state.withLock { state in
                guard state.next < blocks.count else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }
    }
}
