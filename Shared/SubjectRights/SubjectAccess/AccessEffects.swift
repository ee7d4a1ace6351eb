public import GRDB
public import Lanes
public import Models
internal import Wire

/// The effects of a service with access around them: requests are heard and answered here, everything else is the service's.
public final class AccessEffects: BlockEffects {
    /// The effects of the service itself.
    public let inner: any BlockEffects
    private let rounds: AccessRounds
    private var decoder = ColumnDecoder()

    public init(_ inner: any BlockEffects, _ rounds: AccessRounds) {
        self.inner = inner
        self.rounds = rounds
    }

    public func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock] { try inner.admit(blocks) }

    public func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws {
        let blocks = blocks.filter { $0.block.header.kind != RecordKind.accessOrder.id }
        if !blocks.isEmpty { try inner.prepare(blocks, now: now) }
    }

    public func apply(_ blocks: [LaneBlock], now: UnixMilliseconds, in db: Database, emit: inout Emission) throws {
        var others: [LaneBlock] = []
        others.reserveCapacity(blocks.count)
        for block in blocks {
            if block.block.header.kind == RecordKind.accessOrder.id {
                try hear(block, db)
            } else {
                others.append(block)
            }
        }
        if !others.isEmpty { try inner.apply(others, now: now, in: db, emit: &emit) }
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
        try rounds.committed()
    }

    public func blocksPaused() { inner.blocksPaused() }

    public func appliedAll(before moment: UnixMilliseconds) { inner.appliedAll(before: moment) }

    public var nextTick: UnixMilliseconds? { [inner.nextTick, rounds.nextTick].compactMap(\.self).min() }

    private func hear(_ block: LaneBlock, _ db: Database) throws {
        for word in try AccessOrder.words(of: block.block.columns(with: &decoder)) {
            switch word {
            case .ordered(let order): try rounds.hear(order, db)
            case .closed(let request): try rounds.hear(closed: request, db)
            }
        }
    }
}
