internal import AggregatorCells
public import AggregatorDeriving
internal import AggregatorFolding
package import AggregatorReleasing
internal import AggregatorSealing
public import Foundation
internal import GRDB
public import Lanes
public import Models
public import Storage
internal import Wire

/// What the aggregator does with blocks: open rows to day files first, then, in its own time, cells.
///
///     prepare   blocks ─▶ open rows ─▶ open/<day>.sqlite      keyed by lane, generation, block; idempotent
///     apply     remembers the blocks, with the cursor
///     tick      a slice of the open rows that wait ─▶ cells ─▶ rollups, with the mark of what is folded
///
/// Cells are therefore at any moment the exact sums of the rows that are folded, and what is not folded yet is on disk; a
/// crash repeats or loses nothing. Confined to the thread that writes the database.
public final class AggregatorEffects: BlockEffects {
    let open: OpenRowDirectory
    /// Keeps folds and erasures apart.
    let turns = CellTurns()
    let sealer: DaySealer
    /// Nil where nothing is released.
    private let releaser: Releaser?
    let rules: CountingRules
    private let folder: Folder
    private let isRollupsFull: () -> Bool
    private let stopwatch: () -> UnixMilliseconds
    private let threads: TwoThreads<OpenRowMaker>
    private var preparedDays: Set<Int64> = []
    /// Days of which the fold under way has rows left.
    private var folding: [FoldingDay] = [] {
        didSet { turns.isFolding = !folding.isEmpty }
    }
    private var hasWaiting = false
    /// To which moment open rows are complete.
    private var rowsComplete: UnixMilliseconds?
    /// To which cells will be once the fold under way is finished; nil if it leaves rows behind.
    private var foldCompletes: UnixMilliseconds?
    public private(set) var completeTo: UnixMilliseconds?
    private var cadence = FoldCadence()
    private let report: (FoldProgress) -> Void
    private(set) var progress = FoldProgress()

    /// How many devices a cell has at least that stays when its bucket is sealed, unless the settings say otherwise.
    public static let usualMinimumDevices = 5

    /// The tables of the aggregator's own database, beside those of cursors and journals.
    public static let migrations = AggregatorSchema.migrations

    /// Effects on a database of ``AggregatorEffects/migrations`` and day files, which outlive them.
    ///
    /// - Parameters:
    ///   - programmes: whose rows count.
    ///   - isRollupsFull: true while nothing may be appended to the lane.
    ///   - stopwatch: a clock that only runs forward, in ms, for the cadence; a constant makes runs repeatable.
    ///   - minimumDevices: of a cell that stays when its bucket is sealed.
    ///   - awaitedErasures: of a restored home, those since its backup: before they were heard of nothing is sealed.
    public convenience init(
        _ programmes: Programmes, database: ServiceDatabase, open: OpenRowDirectory, timeZone: TimeZone,
        isRollupsFull: @escaping () -> Bool,
        stopwatch: @escaping () -> UnixMilliseconds, minimumDevices: Int = usualMinimumDevices,
        awaitedErasures: [String] = []
    ) throws {
        try self.init(
            programmes, database: database, open: open, timeZone: timeZone, isRollupsFull: isRollupsFull,
            stopwatch: stopwatch,
            minimumDevices: minimumDevices, awaitedErasures: awaitedErasures, report: { _ in })
    }

    /// The same, with releases.
    ///
    /// - Parameter releases: how they are made; nil: none are.
    package convenience init(
        _ programmes: Programmes, database: ServiceDatabase, open: OpenRowDirectory, timeZone: TimeZone,
        isRollupsFull: @escaping () -> Bool, stopwatch: @escaping () -> UnixMilliseconds, minimumDevices: Int,
        awaitedErasures: [String], releases: ReleaseSettings?
    ) throws {
        try self.init(
            programmes, database: database, open: open, timeZone: timeZone, isRollupsFull: isRollupsFull,
            stopwatch: stopwatch, minimumDevices: minimumDevices, awaitedErasures: awaitedErasures, releases: releases,
            report: { _ in })
    }

    init(
        _ programmes: Programmes, database: ServiceDatabase, open: OpenRowDirectory, timeZone: TimeZone,
        isRollupsFull: @escaping () -> Bool,
        stopwatch: @escaping () -> UnixMilliseconds, minimumDevices: Int, awaitedErasures: [String] = [],
        passBytes: Int = SliceSize.passBytes, releases: ReleaseSettings? = nil,
        releaseBytes: Int = Releaser.usualLimit, report: @escaping (FoldProgress) -> Void
    ) throws {
        self.report = report
        self.open = open
        sealer = try DaySealer(database, open, minimumDevices: minimumDevices, awaited: awaitedErasures)
        let rules = CountingRules(programmes)
        self.rules = rules
        let through = sealer.state.through
        handlers = EffectHandlers("batch-aggregator", stored: programmes.recordKinds { $0.isCounted })
        let threads = TwoThreads("open rows") { OpenRowMaker(rules, timeZone: timeZone) }
        self.threads = threads
        folder = Folder(open, reader: FoldReader(threads, rules, limit: passBytes))
        self.isRollupsFull = isRollupsFull
        self.stopwatch = stopwatch
        releaser = releases.map { settings in
            Releaser(
                settings, open, rules, threads, sealed: through, awaited: awaitedErasures, limit: releaseBytes,
                isRollupsFull: isRollupsFull)
        }
        if let releaser {
            sealer.areReleased = releaser.areReleased
            sealer.onClosed = releaser.daysAreClosed
        }
        try UncommittedRows.remove(database, open)
        let days = try open.existingDays()
        try database.write { try FoldLedger.takeOver(days, $0) }
        try reload(database)
    }

    /// What the aggregator reads itself is put down before the transaction, which only notes how far.
    private let handlers: EffectHandlers<AggregatorEffects>

    public func require(_ kind: RecordKind, on lane: LaneName) throws { try handlers.require(kind, on: lane) }

    public func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws {
        var files: [Int64: [OpenRowBlock]] = [:]
        for (day, block) in try threads.map(blocks, { try $0.rows(of: $1) }).joined() {
            guard day >= sealer.state.through else {
                progress.lateRows += block.rows.rowCount
                continue
            }
            files[day, default: []].append(block)
        }
        for day in files.keys.sorted() { try OpenRowFile.write(files[day]!, to: open.file(day)) }
        preparedDays = Set(files.keys)
    }

    public func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        var last: [LaneName: Position] = [:]
        for block in blocks { last[block.lane] = block.position }
        try FoldLedger.apply(Array(last.values), days: preparedDays, transaction.db)
        hasWaiting = hasWaiting || !preparedDays.isEmpty
        progress.waitingBlocks += blocks.count
        let rows = blocks.reduce(0) { $0 + $1.block.header.rowCount }
        folder.learn(rows: rows, blocks: blocks.count)
        sealer.came(rows, now: transaction.now)
        releaser?.came(rows, now: transaction.now)
        preparedDays = []
        cadence.blocksCame(rows: rows, now: transaction.now)
    }

    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        var didTick = false
        if let next = sealer.nextTick, next <= transaction.now { didTick = try sealer.tick(in: &transaction) }
        if let next = nextFold, next <= transaction.now {
            didTick = try fold(transaction.now, transaction.db, &transaction.emit) || didTick
        }
        if let releaser, releaser.nextTick <= transaction.now {
            didTick = try releaser.tick(in: &transaction) || didTick
        }
        return didTick
    }

    private func fold(_ now: UnixMilliseconds, _ db: Database, _ emit: inout Emission) throws -> Bool {
        // What an erasure waits for is folded even so: a full lane is no reason to keep what is to be forgotten.
        guard !isRollupsFull() || turns.isAwaited else {
            cadence.postpone(now)
            return false
        }
        guard let foldsFrom, foldsFrom <= now else { return false }
        let began = stopwatch()
        cadence.sliceBegan(now, isFirstOfFold: folding.isEmpty)
        if folding.isEmpty {
            try folder.begin(db)
            foldCompletes = try FoldLedger.waitingBlocks(db) == 0 ? rowsComplete : nil
        }
        if let day = try FoldLedger.days(db).first {
            progress.folded += try folder.fold(day, sealed: sealer.state.through, db, &emit)
        }
        folding = try FoldLedger.days(db)
        hasWaiting = try !FoldLedger.waitingDays(db).isEmpty
        progress.waitingBlocks = try FoldLedger.waitingBlocks(db)
        if folding.isEmpty { completeTo = hasWork ? foldCompletes ?? completeTo : rowsComplete }
        cadence.sliceEnded(now + stopwatch() - began, isLastOfFold: folding.isEmpty)
        return true
    }

    public func committed(now: UnixMilliseconds) throws {
        try sealer.committed(now: now)
        releaser?.committed(now: now)
        progress.released = releaser?.takeFigures() ?? ReleaseFigures()
        progress.sealed = sealer.takeSealed()
        report(progress)
        progress.isReported()
    }

    public func blocksPaused() { cadence.blocksPaused() }

    public func appliedAll(before moment: UnixMilliseconds) { sealer.appliedAll(before: moment) }

    public func lanesComplete(to moments: [LaneName: UnixMilliseconds]) {
        rowsComplete = moments.moment(of: [.realtime, .batch])
        if !hasWork { completeTo = rowsComplete }
    }

    /// Counts rows that an erasure took.
    func noteErased(_ rows: Int) {
        progress.erasedRows += rows
        if rows > 0 { releaser?.rowsWent() }
    }

    public var nextTick: UnixMilliseconds? {
        [nextFold, sealer.nextTick, releaser?.nextTick].compactMap(\.self).min()
    }

    private var nextFold: UnixMilliseconds? {
        guard hasWork, let foldsFrom else { return nil }
        let due = cadence.due(
            isWithinFold: !folding.isEmpty, isWholeFoldWaiting: progress.waitingBlocks >= folder.blocks)
        return max(due, foldsFrom)
    }

    /// When the next slice may be; nil: not before an erasure has done something.
    private var foldsFrom: UnixMilliseconds? { folding.isEmpty ? turns.foldsFrom : 0 }

    /// Reads again what waits to be folded.
    func reload(_ database: ServiceDatabase) throws {
        (folding, hasWaiting, progress.waitingBlocks, turns.isHeld) = try database.read { db in
            (
                try FoldLedger.days(db), try !FoldLedger.waitingDays(db).isEmpty, try FoldLedger.waitingBlocks(db),
                try ErasingRows.day(db) != nil || UncountedCells.day(db) != nil
            )
        }
    }

    /// True while open rows are not in the cells yet.
    public var hasWork: Bool { hasWaiting || !folding.isEmpty }
}

extension AggregatorEffects {
    /// What counts of both lanes of measurements, whose are to be erased, who asks for them, and what is over.
    public static func subscriptions(_ programmes: Programmes) -> [LaneSubscription] {
        let counted = programmes.recordKinds { $0.isCounted }
        return [
            LaneSubscription(lane: .realtime, kinds: counted),
            LaneSubscription(lane: .batch, kinds: counted, window: Credit(blocks: 1_024, bytes: 8 << 20)),
            LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .accessOrder, .retentionOrder]),
        ]
    }
}
