package import ExporterRows
package import GRDB
internal import Models
internal import Storage
package import SubjectRights
internal import Wire

/// Erases subjects' rows from the day files, slice by slice, so that the exporter's own database and the files say the same
/// after a crash at any point.
///
///     transaction n      which rows go (table `raw_erasures`), who must be told, figures without them
///     transaction n + 1  the rows are gone from the day file; the plan is forgotten
///
/// A plan that is there is carried out before anything else is looked for, so no row is counted or told twice. It names blocks
/// and numbers of rows, no device. Confined to the engine's thread.
package final class RawErasure {
    /// What one call did.
    package struct Slice {
        /// Rows that go, by device; outcomes of prompts too.
        package var removed: [UInt64: Int] = [:]
        /// Of these, raw rows.
        package var rawRows = 0
        /// The hours of the blocks that were rewritten.
        package var rewrittenHours: [ClosedRange<Int64>] = []
        /// True if nothing of the subjects is left in the day files.
        package var isDone = false
    }

    /// How far a pass has looked; in memory only.
    private struct Search {
        let subjects: [ErasureSubject]
        let filter: ErasureFilter
        var days: ArraySlice<String>
        var after: Int64 = 0
    }

    /// Files that are looked into at once.
    private static let looks = 8
    private let files: RawRowFiles
    private var search: Search?

    package init(_ files: RawRowFiles) { self.files = files }

    /// One bounded piece.
    ///
    /// - Parameter notices: is told the rows that go.
    package func slice(_ subjects: [ErasureSubject], _ notices: inout NoticeDrafts, _ db: Database) throws -> Slice {
        var slice = Slice()
        if let hours = try carryOut(db) {
            slice.rewrittenHours = hours
            return slice
        }
        var search = self.search.flatMap { $0.subjects == subjects ? $0 : nil } ?? begin(subjects)
        if search.days.isEmpty {
            self.search = nil
            slice.isDone = true
            return slice
        }
        var looks = 0, bytes = 0
        while looks < Self.looks, bytes < RawRowFiles.erasureLimit.bytes, let day = search.days.first {
            let look = try files.look(into: day, after: search.after, for: search.filter.devices)
            for block in look.blocks { try plan(block, search.filter, &slice, &notices, db) }
            (looks, bytes, search.after) = (looks + 1, bytes + look.bytes, look.through)
            if look.isOver { (search.days, search.after) = (search.days.dropFirst(), 0) }
        }
        self.search = search
        return slice
    }

    private func begin(_ subjects: [ErasureSubject]) -> Search {
        Search(subjects: subjects, filter: ErasureFilter(subjects), days: files.days[...])
    }

    private func plan(
        _ block: StoredBlock, _ filter: ErasureFilter, _ slice: inout Slice, _ notices: inout NoticeDrafts,
        _ db: Database
    ) throws {
        let sifted = try filter.sift(block.columns, kind: block.kind.id)
        guard !sifted.removed.isEmpty else { return }
        let kept = Set(sifted.kept)
        let rows = (0..<block.columns.rowCount).filter { !kept.contains(Int32($0)) }
        try RawErasurePlan.add(rows.map(block.number), of: block.sequence, on: block.day, db)
        slice.removed.merge(sifted.removed, uniquingKeysWith: +)
        guard files.layout.isShown(block.kind.id) else { return }
        slice.rawRows += rows.count
        notices.add(rows, of: block, filter)
    }

    /// Erases what was planned, of one day and not too much.
    ///
    /// - Returns: the hours of the blocks; nil if nothing was planned.
    private func carryOut(_ db: Database) throws -> [ClosedRange<Int64>]? {
        guard let next = try RawErasurePlan.next(db) else { return nil }
        let hours = try files.erase(next.blocks, on: next.day)
        try RawErasurePlan.remove(next.blocks.map(\.sequence), on: next.day, db)
        return hours
    }
}
