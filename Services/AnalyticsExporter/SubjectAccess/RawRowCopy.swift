internal import ExporterRows
internal import GRDB
internal import Models
internal import SubjectRights

/// What the exporter holds about a subscriber: every raw row with all its columns, and what became of prompts.
///
/// Confined to the engine's thread.
final class RawRowCopy: SubjectCopy {
    /// Files that are looked into for a page.
    private static let looks = 8

    private let files: RawRowFiles
    private let printer = SubjectRowPrinter()

    init(_ files: RawRowFiles) { self.files = files }

    var held: [HeldKind] { HeldKind.rawRows(files.layout.programmes) }

    /// After a place: `<day>/<sequence>`, the last block that was looked at, or `<day>` before its first.
    func page(of device: UInt64, after place: String?, in db: Database) throws -> SubjectPage {
        let parts = place?.split(separator: "/").map(String.init) ?? []
        var days = files.days.filter { $0 >= parts.first ?? "" }[...]
        // The day may have gone since.
        var after = parts.count == 2 && days.first == parts[0] ? Int64(parts[1]) ?? 0 : 0
        var lines: [SubjectLine] = [], looks = 0, bytes = 0
        while looks < Self.looks, bytes < RawRowFiles.erasureLimit.bytes, let day = days.first {
            let look = try files.look(into: day, after: after, for: [device])
            for block in look.blocks { lines += printer.lines(of: device, in: block) }
            (looks, bytes, after) = (looks + 1, bytes + look.bytes, look.through)
            if look.isOver { (days, after) = (days.dropFirst(), 0) }
        }
        return SubjectPage(lines: lines, next: days.first.map { after == 0 ? $0 : "\($0)/\(after)" })
    }
}
