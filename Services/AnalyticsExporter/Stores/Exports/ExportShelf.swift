package import ExporterRows
internal import Foundation
package import GRDB
package import Models
package import Storage
internal import Synchronization

/// The exported hours of all tenants, `exports/`, and what is known of which of them have the rows that they should have.
///
///     rows come late, or are erased      the files that have the hour are stale, with the same commit; then they are unlinked
///     a file is made                     beside the others, under another name; it gets its own with the commit that enters
///                                        it, and only if no row of its hour has come or gone since its making began
///
///     cells change                       files of statistics that have them are outdated, with the same commit: still given, and
///                                        made anew after a while
///     subjects are erased                what is outdated is stale: their rows may be in it
///
/// Files get their names, and lose them, on the engine's thread; the rest may be called from any thread.
package final class ExportShelf: Sendable {
    /// A span whose file is being made.
    package struct Ticket: Sendable, Equatable {
        let span: ExportSpan
        fileprivate let changes: Int
    }

    private struct State {
        /// Of hours before this one everything is stored.
        var closed: Int64 = 0
        /// The hour behind the last one that anybody has a file of.
        var end: Int64 = 0
        var ticket: Ticket?
        /// Whether cells of what is being made have changed since its making began.
        var isOutdated = false
        /// Everything acknowledged before counts in the cells.
        var figuresTo: UnixMilliseconds = 0
        /// Spans of statistics of which somebody has a file that nothing newer is known of.
        var upToDate: Set<ExportSpan> = []
        /// Files of the directory but the one that is being made: all that are current, and waste.
        var names: Set<String> = []
        var hasWaste = false
        var wake: @Sendable () -> Void = {}
    }

    /// After the end of an hour its last rows may still be on their way to a block.
    static let grace: UnixMilliseconds = 60_000
    private static let unfinished = "unfinished"

    package let directory: String
    package let sealer: BlockSealer?
    private let grace: UnixMilliseconds
    private let changes = RecentChanges()
    /// Steps of erasures.
    private let erasures = RecentChanges()
    private let state = Mutex(State())

    /// Opens the directory, makes it if need be, and brings table and files together after whatever a crash has left.
    ///
    /// - Parameters:
    ///   - layout: of the rows; files with other columns are made anew.
    ///   - grace: how long after its end an hour is taken to be whole; less than nothing: before it.
    ///   - database: with ``ExporterStore/migrations``.
    package init(
        _ layout: RawRowLayout, directory: String, sealer: BlockSealer?, grace: UnixMilliseconds = ExportShelf.grace,
        _ database: ServiceDatabase
    ) throws {
        (self.directory, self.sealer, self.grace) = (directory, sealer, grace)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileRemoval.remove([unfinishedPath], in: directory)
        let keyID = sealer?.keyID ?? 0
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: directory))
        let (end, upToDate) = try database.write { db in
            for (content, number) in [(.reports, layout.number), (.statistics, StatisticsLayout.number)]
                as [(ExportSpan.Content, Int64)]
            { try ExportStore.invalidate(otherThan: number, of: content, keyID: keyID, now: 0, db) }
            for export in try ExportStore.current(db) where !names.contains(Self.name(of: export)) {
                try ExportStore.invalidate(export, now: 0, db)
            }
            return (try ExportStore.end(db), try ExportStore.upToDate(db))
        }
        state.withLock { ($0.end, $0.upToDate, $0.names, $0.hasWaste) = (end, upToDate, names, true) }
        try sweep(database)
    }

    /// Sets what is told when there may be something to make.
    func wake(by wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// There may be something to make.
    package func signal() { state.withLock(\.wake)() }

    /// Of hours before this one everything is stored; 0 until that is known.
    var closed: Int64 { state.withLock(\.closed) }

    /// Hours and days that end before are whole in the cells; below 0 until that is known.
    var figuresTo: UnixMilliseconds { state.withLock(\.figuresTo) - grace }

    package func path(of export: StoredExport) -> String { "\(directory)/\(Self.name(of: export))" }

    /// Where a file is made.
    var unfinishedPath: String { "\(directory)/\(Self.unfinished)" }

    // MARK: Making

    /// The making of a file begins.
    func begin(_ hour: Int64) -> Ticket { begin(.hour(hour)) }

    /// The making of a file begins.
    func begin(_ span: ExportSpan) -> Ticket {
        state.withLock { state in
            let ticket = ticket(span)
            (state.ticket, state.isOutdated) = (ticket, false)
            return ticket
        }
    }

    /// An hour as it is now.
    package func ticket(_ hour: Int64) -> Ticket { ticket(.hour(hour)) }

    private func ticket(_ span: ExportSpan) -> Ticket {
        Ticket(span: span, changes: span.content == .reports ? changes.count : erasures.count)
    }

    /// Whether the rows of the hour are still those that they were at its beginning; of statistics, whether nobody was erased
    /// since.
    func isGood(_ ticket: Ticket) -> Bool {
        switch ticket.span.content {
        case .reports: !changes.touch(ticket.span.start...ticket.span.start, since: ticket.changes)
        case .statistics: erasures.count == ticket.changes
        }
    }

    /// It is over; what is unfinished is gone from the disk when it returns.
    func end() throws {
        try FileRemoval.remove([unfinishedPath], in: directory)
        state.withLock { $0.ticket = nil }
    }

    // MARK: On the engine's thread

    /// Rows were stored; those of hours that files may have been made of already make these stale.
    package func rowsCame(_ hours: [ClosedRange<Int64>], now: UnixMilliseconds, _ db: Database) throws {
        let known = state.withLock { max($0.closed, $0.end) }
        for hours in hours where hours.lowerBound < known {
            changes.add(Array(hours))
            if try ExportStore.invalidate(hours, now: now, db) { noteWaste() }
        }
    }

    /// Rows are to go from what a tenant was shown.
    package func rowsGo(_ hours: Set<TenantHour>, now: UnixMilliseconds, _ db: Database) throws {
        changes.add(hours.map(\.hour))
        for one in hours where try ExportStore.invalidate(one, now: now, db) { noteWaste() }
    }

    /// Rows have gone, or the whole hour has.
    package func rowsWent(_ hours: [ClosedRange<Int64>]) { for hours in hours { changes.add(Array(hours)) } }

    /// Cells have changed, with the same commit.
    ///
    /// - Parameter spans: that have them.
    package func figuresCame(_ spans: Set<ExportSpan>, now: UnixMilliseconds, _ db: Database) throws {
        let outdated = state.withLock { state in
            let outdated = state.upToDate.intersection(spans)
            state.upToDate.subtract(outdated)
            return outdated
        }
        for span in outdated { try ExportStore.outdate(span, now: now, db) }
    }

    /// The commit with cells that have changed is made: what is read from now on has them.
    package func figuresCommitted(_ spans: Set<ExportSpan>) {
        state.withLock { state in
            if let span = state.ticket?.span, spans.contains(span) { state.isOutdated = true }
        }
    }

    /// Subjects are erased: the aggregator's cells are without them, and files of before must not be given any more.
    package func subjectsGo(now: UnixMilliseconds, _ db: Database) throws {
        erasures.add([0])
        if try ExportStore.withdrawOutdated(now: now, db) { noteWaste() }
    }

    /// Everything acknowledged before a moment counts in the cells.
    package func closeFigures(before moment: UnixMilliseconds) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            let isLater = ReceivedHour.number(of: moment - grace) != ReceivedHour.number(of: state.figuresTo - grace)
            state.figuresTo = moment
            return isLater ? state.wake : nil
        }
        wake?()
    }

    /// Everything that came before a moment is stored. A recording may take the clock back, and what was over is not.
    package func close(before moment: UnixMilliseconds) {
        let hour = ReceivedHour.number(of: moment - grace)
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard hour != state.closed else { return nil }
            state.closed = hour
            return state.wake
        }
        wake?()
    }

    /// Files may have been forgotten in the table: they go after the commit.
    package func noteWaste() { state.withLock { $0.hasWaste = true } }

    /// Looks whether there are files that are in no table: those of a tenant that was removed, or of a change that came to nothing.
    package func lookForWaste(_ db: Database) throws {
        // Whatever is current has its file.
        let known = try ExportStore.currentCount(db)
        state.withLock { state in if state.names.count != known { state.hasWaste = true } }
    }

    /// Takes a file that was made into the table, and gives it its name.
    ///
    /// - Returns: false if it is not what it should be any more.
    func enter(_ draft: ExportDraft, now: UnixMilliseconds, _ db: Database) throws -> Bool {
        guard try ExportStore.readers(db).contains(draft.export.tenant), try isRight(draft, db) else {
            return false
        }
        var export = draft.export
        if case .figures = draft.source { noteAge(of: &export, now: now) }
        let old = try ExportStore.find(export.span, of: export.tenant, db), isOther = old?.sha256 != export.sha256
        if let old { export.version = isOther ? old.version + 1 : old.version }
        if export.span.hasFile {
            if isOther, export.span.content == .reports {
                try ExportStore.invalidate(
                    dayOf: TenantHour(tenant: export.tenant, hour: export.span.start), now: now, db)
            }
            _ = state.withLock { $0.names.insert(Self.name(of: export)) }
            guard rename(unfinishedPath, path(of: export)) == 0 else {
                throw StorageError(
                    .inputOutput, path: unfinishedPath, message: String(cString: strerror(errno)), systemError: errno)
            }
        }
        try ExportStore.put(export, db)
        if export.span.content == .reports {
            state.withLock { $0.end = max($0.end, export.span.hours.upperBound) }
        }
        return true
    }

    /// Says since when there are newer figures than a file was made of, if there are.
    private func noteAge(of export: inout StoredExport, now: UnixMilliseconds) {
        let span = export.span
        let isOutdated = state.withLock { state in
            if !state.isOutdated { state.upToDate.insert(span) }
            return state.isOutdated
        }
        if isOutdated { export.outdatedAt = now }
    }

    /// Unlinks what no longer belongs to anything that is committed; they are gone from the disk when it returns.
    package func sweep(_ database: ServiceDatabase) throws {
        let (hasWaste, names) = state.withLock { ($0.hasWaste, $0.names) }
        guard hasWaste else { return }
        let known = try database.read { try Set(ExportStore.current($0).map(Self.name)) }
        let waste = names.subtracting(known)
        if !waste.isEmpty { try FileRemoval.remove(waste.map { "\(directory)/\($0)" }, in: directory) }
        state.withLock { ($0.names, $0.hasWaste) = (known, false) }
    }

    /// Whether no file, nor one that is being made, has a row that is gone.
    package var isClean: Bool {
        let (ticket, hasWaste) = state.withLock { ($0.ticket, $0.hasWaste) }
        return !hasWaste && ticket.map(isGood) ?? true
    }

    private func isRight(_ draft: ExportDraft, _ db: Database) throws -> Bool {
        let span = draft.export.span
        // Rows that are to go may be in it.
        if span.content == .reports,
            try RawErasurePlan.isAny(of: ReceivedDay.text(of: ReceivedHour.day(of: span.start)), db)
        {
            return false
        }
        switch draft.source {
        case .rows(let ticket), .figures(let ticket): return isGood(ticket)
        case .hours(let hours): return try ExportStore.hours(of: span, of: draft.export.tenant, db) == hours
        }
    }

    private static func name(of export: StoredExport) -> String {
        "\(export.tenant)-\(export.version)-\(export.span.name)"
    }
}
