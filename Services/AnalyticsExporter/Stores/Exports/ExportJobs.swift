package import Crypto
package import ExporterOperations
package import ExporterRows
package import Foundation
package import GRDB
package import Models
package import Storage

/// What is to be done for exports, job by job: something is found that is due, a file is made, and what was made is entered
/// by the engine, in a transaction of its own.
///
/// New hours first, from the oldest on; then those that have become stale, when they have been for a while, so that erasures
/// that follow each other cost one rewriting; last, statistics that have been outdated for long. Confined to one thread.
package final class ExportJobs {
    /// A job that was done and is to be entered.
    package struct Job: Sendable {
        /// The file that was made; nil if files are to go.
        let export: StoredExport?
        /// What the engine does; true if it was done, false if the file is not what it should be any more.
        package let change: @Sendable (Database, UnixMilliseconds) throws -> (Bool, [OperationRecord])
    }

    /// How long a file may be stale before it is made anew.
    static let settling: UnixMilliseconds = 10_000
    /// How long there may be newer figures than a file of statistics has before it is made anew: an hour.
    static let outdating: UnixMilliseconds = 3_600_000
    /// How long files are made for a tenant that does not ask for them any more: 30 days.
    private static let patience: UnixMilliseconds = 30 * 86_400_000

    let shelf: ExportShelf
    /// What was due when it was looked last.
    private(set) var orders = ExportOrders()
    private let rows: RawRowFiles.Opener
    private let state: ReadOnlyDatabase
    private let days: Int64
    private let settling: UnixMilliseconds
    private let maker: ExportMaker
    private let statistics: (lines: any StatisticsLines, zone: TimeZone)?

    /// - Parameters:
    ///   - state: a connection of its own to the exporter's database.
    ///   - statistics: prints figures, whose days are those of a zone; nil: no files of statistics are made.
    ///   - days: how many whole days files are kept; 0 makes none.
    ///   - settling: how long a file may be stale before it is made anew.
    package init(
        _ shelf: ExportShelf, rows: RawRowFiles.Opener, state: ReadOnlyDatabase, pseudonymKey: SymmetricKey, days: Int,
        settling: UnixMilliseconds = ExportJobs.settling,
        statistics: (lines: any StatisticsLines, zone: TimeZone)? = nil
    ) {
        self.statistics = statistics
        (self.shelf, self.rows, self.state, self.days, self.settling) = (shelf, rows, state, Int64(days), settling)
        maker = ExportMaker(shelf, rows, pseudonymKey: pseudonymKey)
    }

    /// Makes what is due next. ``end()`` must follow when it was entered, or will not be.
    ///
    /// - Parameters:
    ///   - systemNow: who asks is people, whose time no recording changes.
    ///   - goesOn: false when it is to leave everything.
    /// - Returns: nil if nothing is due, or the rows changed while it was made.
    package func next(
        now: UnixMilliseconds, systemNow: UnixMilliseconds, while goesOn: () -> Bool = { true }
    ) throws -> Job? {
        let limits = ExportOrders.Limits(
            floor: ExportOrders.floor(days: days, now: now), closed: shelf.closed,
            asked: systemNow - Self.patience, settled: now - settling,
            figures: statistics.map {
                ExportOrders.Figures(
                    programmes: rows.layout.programmes.all.map(\.number), zone: $0.zone, closed: shelf.figuresTo,
                    settled: now - Self.outdating)
            })
        // Nobody has said yet how far everything has come.
        guard limits.closed > 0 else { return nil }
        let days = rows.index.current.map(\.day)
        orders = try state.read { try ExportOrders($0, limits, rawDays: days) }
        switch orders.next {
        case nil: return nil
        case .expire(let first, let floor):
            return Job(export: nil) { [shelf] db, _ in
                try ExportStore.expire(before: first, statistics: floor, asked: limits.asked, db)
                shelf.noteWaste()
                return (true, [])
            }
        case .hour(let hour, let tenant):
            return try made(shelf.begin(hour)) { try maker.make(hour, of: tenant, $0, now: now, while: goesOn) }
        case .statistics(let span, let tenant):
            guard let statistics else { return nil }
            return try made(shelf.begin(span)) {
                try maker.make(span, of: tenant, statistics.lines, state, $0, now: now, while: goesOn)
            }
        case .day(let hours):
            return try maker.make(dayOf: hours, now: now, while: goesOn).map(entering)
        }
    }

    /// Nothing unfinished is left unless there is something to enter.
    private func made(
        _ ticket: ExportShelf.Ticket, _ make: (ExportShelf.Ticket) throws -> ExportDraft?
    ) throws -> Job? {
        do {
            let draft = try make(ticket)
            if draft == nil { try shelf.end() }
            return draft.map(entering)
        } catch {
            try? shelf.end()
            throw error
        }
    }

    /// The job is over; what is unfinished is gone from the disk when it returns.
    package func end() throws { try shelf.end() }

    /// What is to be done with a file that was made.
    func entering(_ draft: ExportDraft) -> Job {
        Job(export: draft.export) { [shelf, index = rows.index] db, now in
            (Self.mayBe(draft, index) ? try shelf.enter(draft, now: now, db) : false, [])
        }
    }

    /// False if its day went while it was made: what was read of a file that is unlinked must not come back. A day without rows
    /// has no file; an older day has one then (`ExportOrders`), and the oldest go first.
    private static func mayBe(_ draft: ExportDraft, _ index: RawRowIndex) -> Bool {
        guard draft.export.span.content == .reports else { return true }
        let day = ReceivedDay.text(of: ReceivedHour.day(of: draft.export.span.start))
        return index.holds(day) || draft.export.rows == 0 && index.current.contains { $0.day < day }
    }
}
