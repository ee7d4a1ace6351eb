public import GRDB
public import Models
public import Wire

/// What a service does with the blocks it reads.
///
/// All functions are called on one thread. An error out of any of them stops the service: what its object keeps in
/// memory may then be ahead of the database and is thrown away with the process.
public protocol BlockEffects: AnyObject {
    /// Asked at the start for every kind that is read.
    ///
    /// - Throws: ``LaneError/notHandled(lane:kind:reader:)`` if its blocks would be refused.
    func require(_ kind: RecordKind, on lane: LaneName) throws

    /// Before anything else: the blocks as the service may see them. Rows may be taken out of a block, and blocks out of the
    /// list; cursors move all the same.
    func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock]

    /// Before the transaction: rows that go to files of their own. Must be idempotent by lane, generation and block, for it
    /// is repeated after a crash, and must be durable when it returns.
    func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws

    /// In the transaction that also moves the cursors: the effects of blocks in the order they are given, each once.
    func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws

    /// In the same transaction, when ``nextTick`` is due, even without blocks; true if it did anything.
    func tick(in transaction: inout EffectTransaction) throws -> Bool

    /// After the commit: here, and only here, effects outside the database may be published.
    func committed(now: UnixMilliseconds) throws

    /// No block has come for a while, and none waits: what was put off because more would come may be done.
    func blocksPaused()

    /// Everything that was on the lanes before a moment is applied; told when that is known anew, once a second at most.
    ///
    /// - Parameter moment: of the clock by which the other functions are told the time.
    func appliedAll(before moment: UnixMilliseconds)

    /// The moments to which the lanes that are read are complete (``LaneCompleteness``), by the writers' clocks. Called when one
    /// has changed, at most once a second.
    func lanesComplete(to moments: [LaneName: UnixMilliseconds])

    /// Everything acknowledged to phones before this moment counts in what the service has written to its lanes. Readers of the
    /// lanes are told. Nil while it is not known, and for services of which nobody asks it.
    var completeTo: UnixMilliseconds? { get }
    /// Everything acknowledged to phones before this moment is in what the service shows, if that grows old when it falls behind;
    /// ``completeTo`` where nothing else is said. By it the loop sees whether its thread is overdue.
    var shownTo: UnixMilliseconds? { get }

    /// When ``tick(in:)`` is to be called next; nil never.
    var nextTick: UnixMilliseconds? { get }
}

extension BlockEffects {
    public func require(_ kind: RecordKind, on lane: LaneName) throws {}
    public func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock] { blocks }
    public func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws {}
    public func tick(in transaction: inout EffectTransaction) throws -> Bool { false }
    public func committed(now: UnixMilliseconds) {}
    public func blocksPaused() {}
    public func appliedAll(before moment: UnixMilliseconds) {}
    public func lanesComplete(to moments: [LaneName: UnixMilliseconds]) {}
    public var completeTo: UnixMilliseconds? { nil }
    public var shownTo: UnixMilliseconds? { completeTo }
    public var nextTick: UnixMilliseconds? { nil }
}

/// The transaction of a step, in the hands of whoever has effects in it. Not to be kept: it ends with the call.
public struct EffectTransaction {
    /// The service's database, in the transaction that also moves the cursors.
    public let db: Database
    /// When the step began, Unix milliseconds.
    public let now: UnixMilliseconds
    /// What is appended to the lanes that the service writes.
    public var emit: Emission

    public init(_ db: Database, now: UnixMilliseconds, emit: Emission = Emission { _, _, _ in [] }) {
        self.db = db
        self.now = now
        self.emit = emit
    }
}

/// A block with the lane it came by.
public struct LaneBlock: Sendable, Equatable {
    public var lane: LaneName
    public var block: Block

    public init(lane: LaneName, block: Block) {
        self.lane = lane
        self.block = block
    }

    /// Lane, generation and number: unique for ever.
    public var position: Position {
        Position(lane: lane, generation: block.header.generation, block: block.header.number)
    }
}
