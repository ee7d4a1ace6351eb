public import GRDB
public import Lanes
public import Models
internal import Wire

/// The effects of a service with retention around them: orders are heard and executed here.
public final class RetainingEffects: BlockEffects {
    /// The effects of the service itself, with whatever else is around them.
    public let inner: any BlockEffects
    private let rounds: RetentionRounds
    private let reported: ([RetentionOutcome]) -> Void
    private var decoder = ColumnDecoder()

    /// - Parameter reported: told after a commit what was reported in it; called on the engine's thread.
    public init(
        _ inner: any BlockEffects, _ rounds: RetentionRounds,
        reported: @escaping ([RetentionOutcome]) -> Void = { _ in }
    ) {
        self.inner = inner
        self.rounds = rounds
        self.reported = reported
    }

    public func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock] { try inner.admit(blocks) }

    public func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws {
        let blocks = blocks.filter { !Self.isOrder($0) }
        if !blocks.isEmpty { try inner.prepare(blocks, now: now) }
    }

    public func apply(_ blocks: [LaneBlock], now: UnixMilliseconds, in db: Database, emit: inout Emission) throws {
        var others: [LaneBlock] = []
        others.reserveCapacity(blocks.count)
        for block in blocks {
            guard Self.isOrder(block) else { others.append(block); continue }
            let columns = try block.block.columns(with: &decoder)
            for (_, order) in try columns.documents(RetentionOrderDocument.self) { try rounds.hear(order, db) }
        }
        guard !others.isEmpty else { return }
        rounds.came(others.reduce(0) { $0 + $1.block.header.keptRows }, now: now)
        try inner.apply(others, now: now, in: db, emit: &emit)
    }

    public func tick(now: UnixMilliseconds, in db: Database, emit: inout Emission) throws -> Bool {
        var didTick = false
        if let next = inner.nextTick, next <= now { didTick = try inner.tick(now: now, in: db, emit: &emit) }
        if let next = rounds.nextTick, next <= now {
            didTick = try rounds.tick(now: now, in: db, emit: &emit) || didTick
        }
        return didTick
    }

    public func committed(now: UnixMilliseconds) throws {
        try inner.committed(now: now)
        try rounds.committed(now: now)
        let done = rounds.takeReported()
        if !done.isEmpty { reported(done) }
    }

    public func blocksPaused() { inner.blocksPaused() }

    public func appliedAll(before moment: UnixMilliseconds) { inner.appliedAll(before: moment) }

    public var nextTick: UnixMilliseconds? {
        guard let mine = rounds.nextTick else { return inner.nextTick }
        return min(mine, inner.nextTick ?? mine)
    }

    private static func isOrder(_ block: LaneBlock) -> Bool {
        block.block.header.kind == RecordKind.retentionOrder.id
    }
}
