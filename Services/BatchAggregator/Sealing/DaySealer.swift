package import AggregatorCells
package import AggregatorDeriving
import AggregatorFolding
package import GRDB
package import Lanes
package import Models
package import Storage
import SubjectRights

/// Seals local days whose time is over: their open rows go, and what is left of their cells are anonymous sums.
///
///     ordered ─▶ wait: lanes read, rows folded, no erasure under way, released ─▶ closed ─▶ │ day files unlinked
///                                                                                commit    │ cells, slice by slice (CellSealing)
///
/// All days that are ordered are closed in one transaction (``CellSealing/close(before:minimumDevices:_:_:_:)``); from then on
/// no row, fold or erasure touches their buckets. A crash anywhere goes on where it was. Confined to the thread that writes the
/// database.
package final class DaySealer {
    /// Until days that could not be closed are looked at again, ms.
    private static let pause: UnixMilliseconds = 1_000

    /// Cells that one slice looks at.
    var sliceCells = 2_000
    private let database: ServiceDatabase
    private let open: OpenRowDirectory
    private let minimumDevices: Int
    private let awaited: [String]
    private var cells: CellSealing?
    private var pace = SliceThrottle(stopwatch: { .now })
    /// As it was committed last.
    package private(set) var state: SealingState
    private var isChanged = false
    /// When days were ordered, by the clock of steps.
    private var orderedAt: UnixMilliseconds = 0
    private var appliedBefore = UnixMilliseconds.min
    private var asksAgainAt: UnixMilliseconds = 0
    /// Told after the commit in which the last cell was looked at: what is superseded on `rollups` may go.
    package var onSealed: () -> Void = {}
    /// Whether the days with open rows before a time are released, which can be done as long as their rows are there. If not, it is asked
    /// again.
    package var areReleased: (_ before: Int64, Database) throws -> Bool = { _, _ in true }
    /// Told in the transaction that closes the days before a time.
    package var onClosed: (_ through: Int64, Database) throws -> Void = { _, _ in }
    /// Cells since the last report.
    private var sealed = SealedCells()

    /// - Parameters:
    ///   - minimumDevices: of a cell that stays.
    ///   - awaited: erasures since the backup that the home is from: no day is closed before they were heard of.
    package init(
        _ database: ServiceDatabase, _ open: OpenRowDirectory, minimumDevices: Int, awaited: [String]
    ) throws {
        self.database = database
        self.open = open
        self.minimumDevices = minimumDevices
        self.awaited = awaited
        state = try database.read { try SealingState.read($0) }
        try open.remove(before: state.through)
    }

    /// Has days sealed that begin before another.
    ///
    /// - Parameter day: the begin of the first local day that stays open, Unix seconds.
    func order(before day: Int64, now: UnixMilliseconds, _ db: Database) throws {
        var state = try SealingState.read(db)
        state.ordered = max(state.ordered, day)
        try state.write(db)
        (orderedAt, asksAgainAt, isChanged) = (now, 0, true)
    }

    /// So many rows have come; while they do, slices are followed by rests.
    package func came(_ rows: Int, now: UnixMilliseconds) { pace.came(rows, now: now) }

    /// Everything that was on the lanes before a moment is applied. Rows are accepted for a day less than buckets are open,
    /// so none of a bucket that is to be sealed can come after that.
    package func appliedAll(before moment: UnixMilliseconds) { appliedBefore = max(appliedBefore, moment) }

    /// When ``tick(in:)`` is to be called.
    package var nextTick: UnixMilliseconds? {
        if state.place != nil { return pace.nextSlice }
        return state.ordered > state.through && appliedBefore >= orderedAt ? asksAgainAt : nil
    }

    /// One bounded piece of work; true if it did anything.
    package func tick(in transaction: inout EffectTransaction) throws -> Bool {
        var state = try SealingState.read(transaction.db)
        let cells = try self.cells ?? CellSealing(transaction.db)
        self.cells = cells
        if state.place != nil {
            pace.began()
            sealed += try cells.slice(&state, cells: sliceCells, transaction.db, &transaction.emit)
        } else {
            guard state.ordered > state.through, appliedBefore >= orderedAt else { return false }
            guard try canClose(before: state.ordered, transaction.db), try areReleased(state.ordered, transaction.db)
            else {
                asksAgainAt = transaction.now + Self.pause
                return false
            }
            try cells.close(
                before: state.ordered, minimumDevices: minimumDevices, &state, transaction.db, &transaction.emit)
            try onClosed(state.through, transaction.db)
        }
        try state.write(transaction.db)
        isChanged = true
        return true
    }

    /// After the commit of a step.
    package func committed(now: UnixMilliseconds) throws {
        pace.ended(now: now)
        guard isChanged else { return }
        isChanged = false
        let before = state
        state = try database.read { try SealingState.read($0) }
        if state.through > before.through { try open.remove(before: state.through) }
        if state.place == nil, before.place != nil { onSealed() }
    }

    /// Cells since it was asked last; to be asked after the commit.
    package func takeSealed() -> SealedCells {
        defer { sealed = SealedCells() }
        return sealed
    }

    /// Rows of those days are in the cells, those of the day after too, for an hour across midnight has some; and whoever was
    /// heard of as to be erased before this is: of nobody some rows are in sums that stay, and others not.
    private func canClose(before day: Int64, _ db: Database) throws -> Bool {
        try FoldLedger.waitingDays(db).allSatisfy { $0 > day } && FoldLedger.days(db).allSatisfy { $0.day > day }
            && ErasureExecutor.haveHeard(of: awaited, db) && !ErasureExecutor.areRecordsLeft(db)
    }
}
