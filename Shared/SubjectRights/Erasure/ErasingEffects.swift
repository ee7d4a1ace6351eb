public import GRDB
public import Lanes
public import Models
internal import Wire

/// The effects of a service with erasure around them: rows of subjects that are being erased never reach it, and orders and
/// receipts are handled here.
public final class ErasingEffects: BlockEffects {
    private static let handled: Set<UInt8> = [RecordKind.erasureSubject.id, RecordKind.erasureReceipt.id]
    /// The effects of the service itself.
    public let inner: any BlockEffects
    private let rounds: ErasureRounds
    private let signed: ([ErasureReceiptDocument]) -> Void
    private var decoder = ColumnDecoder()

    /// - Parameter signed: told after a commit what was signed in it; called on the engine's thread.
    public init(
        _ inner: any BlockEffects, _ rounds: ErasureRounds,
        signed: @escaping ([ErasureReceiptDocument]) -> Void = { _ in }
    ) {
        self.inner = inner
        self.rounds = rounds
        self.signed = signed
    }

    public func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock] { try rounds.admit(inner.admit(blocks)) }

    public func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws {
        let blocks = blocks.filter { !Self.handled.contains($0.block.header.kind) }
        if !blocks.isEmpty { try inner.prepare(blocks, now: now) }
    }

    public func apply(_ blocks: [LaneBlock], now: UnixMilliseconds, in db: Database, emit: inout Emission) throws {
        var others: [LaneBlock] = []
        others.reserveCapacity(blocks.count)
        for block in blocks {
            switch block.block.header.kind {
            case RecordKind.erasureSubject.id: try hearSubjects(block, db)
            case RecordKind.erasureReceipt.id: try hearReceipts(block, db)
            default: others.append(block)
            }
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
        if !rounds.signed.isEmpty { signed(rounds.takeSigned()) }
        try rounds.committed(now: now)
    }

    public func blocksPaused() { inner.blocksPaused() }

    public func appliedAll(before moment: UnixMilliseconds) { inner.appliedAll(before: moment) }

    public var nextTick: UnixMilliseconds? {
        guard let mine = rounds.nextTick else { return inner.nextTick }
        return min(mine, inner.nextTick ?? mine)
    }

    private func hearSubjects(_ block: LaneBlock, _ db: Database) throws {
        for subject in try ErasureSubject.all(of: block.block.columns(with: &decoder)) { try rounds.hear(subject, db) }
    }

    private func hearReceipts(_ block: LaneBlock, _ db: Database) throws {
        for (_, document) in try block.block.columns(with: &decoder).documents(ErasureReceiptDocument.self) {
            try rounds.hear(document, db)
        }
    }
}
