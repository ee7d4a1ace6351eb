internal import AggregatorCells
internal import AggregatorDeriving
internal import AggregatorFolding
internal import AggregatorSealing
internal import GRDB
public import Lanes
internal import Models
public import SubjectRights

/// Erases subjects from open rows, cells and `rollups`.
///
///     day after day: rows noted ─▶ day file ─▶ cells, devices, rollups      DayErasure
///     then: superseded figures of those cells out of the journal             SupersededCells
///
/// Afterwards statistics are those of the rows that are left. What is noted survives a crash; all else is looked up again,
/// and found to be less. Works between folds (``CellTurns``). Confined to the thread that writes the database.
public final class StatisticsErasure: SubjectRecords {
    private let effects: AggregatorEffects
    private let rollups: Journal
    private let cells: CellSubtraction
    private let bounds: ErasureBounds
    private var work: Work?

    /// One pass, in memory only.
    private struct Work {
        let subjects: [ErasureSubject]
        let filter: ErasureFilter
        /// Days to go, the next one last.
        var days: [Int64]
        var day: DayErasure?
        var superseded: SupersededCells?

        var areDaysDone: Bool { days.isEmpty && day == nil }
    }

    init(_ effects: AggregatorEffects, rollups: Journal, bounds: ErasureBounds) {
        self.effects = effects
        self.rollups = rollups
        self.bounds = bounds
        cells = CellSubtraction(effects.rules, rollups)
    }

    public func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        var work = try self.work.flatMap { $0.subjects == subjects ? $0 : nil } ?? begin(subjects, transaction.db)
        // What is only in the journal disturbs no fold.
        if work.areDaysDone { effects.turns.erasureEnded() }
        guard work.areDaysDone || effects.turns.takeSlice(transaction.now) else { return ErasureSlice(isDone: false) }
        let slice = try proceed(&work, transaction.db, &transaction.emit)
        self.work = slice.isDone ? nil : work
        effects.turns.isHeld = work.day?.holdsFolds ?? false
        effects.noteErased(slice.removed.values.reduce(0, +))
        return slice
    }

    /// Cells of buckets that are closed name devices until they were looked at.
    public func truncateLogs() throws -> Bool {
        try effects.sealer.state.place == nil && effects.open.truncateLogs()
    }

    /// The day of rows that are noted comes first: no other may be noted before they are gone.
    private func begin(_ subjects: [ErasureSubject], _ db: Database) throws -> Work {
        let noted = try ErasingRows.day(db) ?? UncountedCells.day(db)
        var days = try effects.open.existingDays().filter { day in
            day != noted && subjects.contains { Self.covers($0.scope, day) }
        }
        if let noted { days.append(noted) }
        return Work(subjects: subjects, filter: ErasureFilter(subjects), days: days)
    }

    /// Whether a scope may have rows of a local day; the longest have 26 hours.
    private static func covers(_ scope: ErasureScope, _ day: Int64) -> Bool {
        scope.from ?? .min < (day + 26 * 3_600) * 1_000 && scope.to ?? .max > day * 1_000
    }

    private func proceed(_ work: inout Work, _ db: Database, _ emit: inout Emission) throws -> ErasureSlice {
        if work.day == nil, let day = work.days.popLast() {
            work.day = DayErasure(day, work.filter, open: effects.open, cells: cells, bounds: bounds)
        }
        if let day = work.day {
            let removed = try day.proceed(db, &emit)
            if day.isDone { work.day = nil }
            return ErasureSlice(isDone: false, removed: removed)
        }
        var superseded = try work.superseded ?? SupersededCells(db)
        for _ in 0..<bounds.rounds where !superseded.isDone { try superseded.round(rollups, db) }
        work.superseded = superseded
        return ErasureSlice(isDone: try superseded.isDone && !ErasingCells.removeSome(db))
    }
}

/// How much one slice of an erasure does.
struct ErasureBounds {
    /// Blocks whose devices are looked at.
    var searched = 1_024
    /// Blocks decoded.
    var decoded = 16
    /// Rows taken at once.
    var rows = 512
    /// Rounds over the journal, of 64 KB of blocks each: some 50 ms in all. Each slice ends with an fsync, which all
    /// services' commits on the same disk wait for; so many rounds share one.
    var rounds = 64
}
