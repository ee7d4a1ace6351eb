internal import GRDB
public import Models
public import Storage
public import Wire

/// The deterministic heart of every reading service: effects, cursors and emitted blocks in one transaction.
///
/// No clock, thread or socket inside; confined to the thread that writes the database. A crash at any point repeats what
/// was not committed, and blocks at or before a cursor are dropped, so that effects happen once.
public final class EffectEngine {
    public let database: ServiceDatabase
    public let subscriptions: [LaneSubscription]
    /// Journals of the lanes this service writes.
    public let journals: [Journal]
    public let effects: any BlockEffects
    /// The last block of each lane whose effects are committed; lanes without one are not in it.
    public private(set) var cursors: [LaneName: Position]
    /// Called after each transaction before it is on disk, which it then is before the step ends; nil: transactions are on disk
    /// when they are committed. For what a power cut may let happen again, because the blocks that caused it are on disk.
    public var beforeSync: (() -> Void)?
    private var encoder = ColumnEncoder()

    /// Opens the cursors in `database`, which also holds the journals.
    ///
    /// - Throws: ``LaneError/notHandled(lane:kind:reader:)`` if the effects have no handler of a kind that is read.
    public init(
        database: ServiceDatabase, reads subscriptions: [LaneSubscription], journals: [Journal],
        effects: any BlockEffects
    ) throws {
        self.database = database
        self.subscriptions = subscriptions
        self.journals = journals
        self.effects = effects
        for subscription in subscriptions {
            for kind in subscription.kinds { try effects.require(kind, on: subscription.lane) }
        }
        cursors = try database.write { db in
            try Cursor.createTable(db)
            var cursors: [LaneName: Position] = [:]
            for lane in subscriptions.map(\.lane) { cursors[lane] = try Cursor.read(lane, db) }
            return cursors
        }
    }

    /// The last block of a lane whose effects are committed; nil before the first.
    public func cursor(_ lane: LaneName) -> Position? { cursors[lane] }

    /// True if one of the service's own lanes is full: it must stop reading `batch` and taking outside input.
    public var isFull: Bool { journals.contains(where: \.isFull) }

    /// Applies blocks and whatever is due, in one transaction. Does nothing, and no transaction, if there is nothing to do.
    ///
    /// - Parameters:
    ///   - blocks: in order within each lane; blocks at or before the cursor are dropped.
    ///   - skipped: per lane, a position up to which the writer has nothing else for this service.
    /// - Throws: ``LaneError/otherGeneration(lane:expected:found:)``,
    ///   `LaneError/newerKind(lane:kind:version:known:)`, errors of the effects, `StorageError`. Nothing is committed then.
    @discardableResult
    public func step(
        _ blocks: [LaneBlock], skipped: [LaneName: Position] = [:], now: UnixMilliseconds
    ) throws -> EffectOutcome {
        let (new, moved) = try advance(blocks, skipped)
        let fresh = new.isEmpty ? [] : try effects.admit(new)
        let isTickDue = effects.nextTick.map { $0 <= now } ?? false
        guard !moved.isEmpty || isTickDue else { return EffectOutcome() }
        if !fresh.isEmpty { try effects.prepare(fresh, now: now) }
        var outcome = EffectOutcome(moved: moved, appliedBlocks: new.count)
        outcome.appliedRows = fresh.reduce(0) { $0 + $1.block.header.keptRows }
        try commit { db in
            let full = Set(journals.filter(\.isFull).map(\.lane))
            var transaction = EffectTransaction(
                db, now: now, emit: Emission(full: full) { [self] in try append($0, $1, $2, db, now) })
            if !fresh.isEmpty { try effects.apply(fresh, in: &transaction) }
            if isTickDue { outcome.didTick = try effects.tick(in: &transaction) }
            for position in moved.values { try Cursor.write(position, db) }
            outcome.appended = try transaction.emit.finish()
        }
        cursors.merge(moved) { $1 }
        try effects.committed(now: now)
        return outcome
    }

    private func commit(_ body: (Database) throws -> Void) throws {
        guard let beforeSync else { return try database.write(body) }
        try database.writeUnsynced(body)
        beforeSync()
        try database.sync()
    }

    /// One bounded round of housekeeping of the service's own journals; about once a second.
    @discardableResult
    public func maintain(
        progress: [LaneName: [ReaderProgress]] = [:], now: UnixMilliseconds
    ) throws -> [LaneName: JournalMaintenance] {
        guard !journals.isEmpty else { return [:] }
        return try database.write { db in
            var done: [LaneName: JournalMaintenance] = [:]
            for journal in journals {
                done[journal.lane] = try journal.maintain(db, progress: progress[journal.lane] ?? [], now: now)
            }
            return done
        }
    }

    /// How the service's own journals and their readers stand.
    public func figures(now: UnixMilliseconds) throws -> [JournalFigures] {
        guard !journals.isEmpty else { return [] }
        return try database.read { db in try journals.map { try $0.figures(db, now: now) } }
    }

    private func append(
        _ lane: LaneName, _ kind: RecordKind, _ columns: Columns, _ db: Database, _ now: UnixMilliseconds
    ) throws -> [Block] {
        guard let journal = journals.first(where: { $0.lane == lane }) else { throw LaneError.notWritten(lane: lane) }
        return try journal.append(db, kind: kind, columns: columns, encoder: &encoder, now: now)
    }

    /// The blocks that are new, and where the cursors will be after them.
    private func advance(
        _ blocks: [LaneBlock], _ skipped: [LaneName: Position]
    ) throws -> (fresh: [LaneBlock], moved: [LaneName: Position]) {
        var fresh: [LaneBlock] = []
        var moved: [LaneName: Position] = [:]
        fresh.reserveCapacity(blocks.count)
        for block in blocks {
            try check(block.block.header, block.lane)
            let last = moved[block.lane] ?? cursors[block.lane]
            try requireGeneration(of: block.position, after: last)
            guard block.position.block > last?.block ?? 0 else { continue }
            fresh.append(block)
            moved[block.lane] = block.position
        }
        for (lane, position) in skipped {
            let last = moved[lane] ?? cursors[lane]
            try requireGeneration(of: position, after: last)
            if position.block > last?.block ?? 0 { moved[lane] = position }
        }
        return (fresh, moved)
    }

    private func requireGeneration(of position: Position, after last: Position?) throws {
        guard let last, last.generation != position.generation else { return }
        throw LaneError.otherGeneration(lane: position.lane, expected: last.generation, found: position.generation)
    }

    private func check(_ header: BlockHeader, _ lane: LaneName) throws {
        let kinds = subscriptions.first { $0.lane == lane }?.kinds ?? []
        guard let kind = kinds.first(where: { $0.id == header.kind }), header.kindVersion > kind.version else { return }
        throw LaneError.newerKind(lane: lane, kind: kind.name, version: header.kindVersion, known: kind.version)
    }
}

extension EffectEngine {
    /// How the readers of the service's own lanes stand.
    public var readerStandings: [ReaderStanding] { journals.flatMap(\.standings) }

    /// Does what an operator wishes, in a transaction of its own.
    ///
    /// - Throws: ``ReaderRefusal``, `StorageError`.
    public func detach(_ wish: ReaderDetachment) throws -> ReaderStanding {
        try wish.perform(on: journals, in: database)
    }
}

/// What one step of a service committed.
public struct EffectOutcome: Sendable {
    /// Where each lane's cursor is now, for lanes whose cursor moved.
    public var moved: [LaneName: Position] = [:]
    /// Blocks appended, lane by lane in the order of commit, to be pushed now.
    public var appended: [(lane: LaneName, blocks: [Block])] = []
    /// Blocks that were applied; repeats of earlier ones are not counted.
    public var appliedBlocks = 0
    /// Rows of these blocks.
    public var appliedRows = 0
    /// True if ``BlockEffects/tick(in:)`` was called and did something.
    public var didTick = false
}
