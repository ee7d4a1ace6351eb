import Dispatch
import Storage
import Synchronization

/// Does work, item by item, on this thread and on one beside it, which starts when several items come together for the first time
/// and ends with this object. Each has a tool of its own.
///
/// Each takes the next item until there is none, so the other thread does as much as it gets a core for. Confined to one thread.
package final class TwoThreads<Tool> {
    /// Items for which another thread is worth waking.
    private static var several: Int { 4 }
    /// How long nobody wonders where an item is that takes half a millisecond.
    private static var patience: DispatchTimeInterval { .milliseconds(20) }

    private let name: String
    private let makeTool: @Sendable () -> Tool
    private var tool: Tool
    private let inbox = Inbox()
    private let turn = IdleTurn()
    private var hasStarted = false

    /// - Parameters:
    ///   - name: of the other thread.
    ///   - makeTool: what a thread works with, called on it.
    package init(_ name: String, tool makeTool: @escaping @Sendable () -> Tool) {
        self.name = name
        self.makeTool = makeTool
        tool = makeTool()
    }

    deinit { inbox.close() }

    /// Makes something of each item.
    ///
    /// - Throws: the error of the first item that has one.
    package func map<Item: Sendable, Made: Sendable>(
        _ items: [Item], _ make: @escaping @Sendable (inout Tool, Item) throws -> Made
    ) throws -> [Made] {
        try finish(begin(items, make))
    }

    /// Has the other thread begin to make something of each item, while this one does something else. It goes on with a round
    /// before until that has no items left, which need not be finished.
    func begin<Item: Sendable, Made: Sendable>(
        _ items: [Item], _ make: @escaping @Sendable (inout Tool, Item) throws -> Made
    ) -> MappingRound<Tool, Item, Made> {
        let round = MappingRound(items, make)
        if items.count >= Self.several {
            if hasStarted { turn.follow() } else { start() }
            inbox.put { round.work(&$0) }
        }
        return round
    }

    /// Makes what the other thread has not begun; returns what both have made. Once for each round.
    ///
    /// - Throws: the error of the first item that has one.
    func finish<Item: Sendable, Made: Sendable>(_ round: MappingRound<Tool, Item, Made>) throws -> [Made] {
        round.work(&tool)
        while !round.wait(Self.patience) { turn.catchUp() }
        return try round.all()
    }

    /// At the nice level of this thread.
    private func start() {
        hasStarted = true
        WorkThread.start(name, niceness: 0, idle: turn) { [inbox, turn, makeTool] in
            var tool = makeTool()
            while !inbox.isClosed {
                inbox.take()?(&tool)
                turn.endRound()
            }
        }
    }

    /// Where the other thread finds its work. From both threads.
    private final class Inbox: Sendable {
        typealias Work = @Sendable (inout Tool) -> Void

        private let state = Mutex<(work: Work?, isClosed: Bool)>((nil, false))
        private let came = DispatchSemaphore(value: 0)

        var isClosed: Bool { state.withLock(\.isClosed) }

        func put(_ work: @escaping Work) {
            state.withLock { $0.work = work }
            came.signal()
        }

        func close() {
            state.withLock { $0 = (nil, true) }
            came.signal()
        }

        /// Waits up to a second; nil if nothing has come.
        func take() -> Work? {
            _ = came.wait(timeout: .now() + .seconds(1))
            return state.withLock { state in
                defer { state.work = nil }
                return state.work
            }
        }
    }
}

/// Items that come together (``TwoThreads``). From both threads.
final class MappingRound<Tool, Item: Sendable, Made: Sendable>: Sendable {
    private struct State {
        /// The next item that nobody has begun.
        var next = 0
        var made: [Result<Made, any Error>?]
        var left: Int
    }

    private let items: [Item]
    private let make: @Sendable (inout Tool, Item) throws -> Made
    private let state: Mutex<State>
    private let areMade = DispatchSemaphore(value: 0)

    fileprivate init(_ items: [Item], _ make: @escaping @Sendable (inout Tool, Item) throws -> Made) {
        self.items = items
        self.make = make
        state = Mutex(State(made: Array(repeating: nil, count: items.count), left: items.count))
        if items.isEmpty { areMade.signal() }
    }

    /// Makes until no item is left to begin.
    fileprivate func work(_ tool: inout Tool) {
        while let number = take() {
            IdleTurn.giveWay()
            let made = Result { try make(&tool, items[number]) }
            let isLast = state.withLock { state in
                state.made[number] = made
                state.left -= 1
                return state.left == 0
            }
            if isLast { areMade.signal() }
        }
    }

    /// Waits until all are made; false if they are not after a time.
    fileprivate func wait(_ time: DispatchTimeInterval) -> Bool { areMade.wait(timeout: .now() + time) == .success }

    /// When all are made.
    fileprivate func all() throws -> [Made] { try state.withLock(\.made).map { try $0!.get() } }

    private func take() -> Int? {
        state.withLock { state in
            guard state.next < items.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }
}
