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
/// Files get their names, and lose them, on the engine's thread; the rest may be called from any thread.
package final class ExportShelf: Sendable {
    /// An hour whose file is being made.
    package struct Ticket: Sendable, Equatable {
        let hour: Int64
        fileprivate let changes: Int
    }

    private struct State {
        /// Of hours before this one everything is stored.
        var closed: Int64 = 0
        /// The hour behind the last one that anybody has a file of.
        var end: Int64 = 0
        var ticket: Ticket?
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
        let end = try database.write { db in
            try ExportStore.invalidate(otherThan: layout.number, keyID: keyID, now: 0, db)
            for export in try ExportStore.current(db) where !names.contains(Self.name(of: export)) {
                _ = try ExportStore.invalidate(
                    TenantHour(tenant: export.tenant, hour: export.span.start), now: 0, db)
            }
            return try ExportStore.end(db)
        }
        state.withLock { ($0.end, $0.names, $0.hasWaste) = (end, names, true) }
        try sweep(database)
    }

    /// Sets what is told when there may be something to make.
    func wake(by wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// There may be something to make.
    package func signal() { state.withLock(\.wake)() }

    /// Of hours before this one everything is stored; 0 until that is known.
    var closed: Int64 { state.withLock(\.closed) }

    package func path(of export: StoredExport) -> String { "\(directory)/\(Self.name(of: export))" }

    /// Where a file is made.
    var unfinishedPath: String { "\(directory)/\(Self.unfinished)" }

    // MARK: Making

    /// The making of a file begins.
    func begin(_ hour: Int64) -> Ticket {
        state.withLock { state in
            let ticket = ticket(hour)
            state.ticket = ticket
            return ticket
        }
    }

    /// An hour as it is now.
    package func ticket(_ hour: Int64) -> Ticket { Ticket(hour: hour, changes: changes.count) }

    /// Whether the rows of the hour are still those that they were at its beginning.
    func isGood(_ ticket: Ticket) -> Bool { !changes.touch(ticket.hour...ticket.hour, since: ticket.changes) }

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
        let old = try ExportStore.find(export.span, of: export.tenant, db), isOther = old?.sha256 != export.sha256
        if let old { export.version = isOther ? old.version + 1 : old.version }
        if export.span.period == .hour {
            if isOther {
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
        state.withLock { $0.end = max($0.end, export.span.hours.upperBound) }
        return true
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
        guard try !RawErasurePlan.isAny(of: ReceivedDay.text(of: ReceivedHour.day(of: span.start)), db) else {
            return false
        }
        switch draft.source {
        case .rows(let ticket): return isGood(ticket)
        case .hours(let hours): return try ExportStore.hours(of: span, of: draft.export.tenant, db) == hours
        }
    }

    private static func name(of export: StoredExport) -> String {
        "\(export.tenant)-\(export.version)-\(export.span.name)"
    }
}
