internal import ExporterStores
internal import Foundation
internal import Models

/// A page of a tenant's exports.
struct ExportListDocument: Encodable {
    let tenant: String
    /// When it was asked.
    let at_ms: UnixMilliseconds
    /// Whole days that files are kept, and today's.
    let kept_days: Int
    /// Every row that was received before is in the files of hours; left out until there is one.
    let complete_to_ms: UnixMilliseconds?
    let files: [ExportDocument]
    /// The `cursor` of the next page; left out on the last.
    let next: String?
}

/// A file as its tenant sees it.
struct ExportDocument: Encodable {
    let name: String
    /// `reports` or `statistics`.
    let content: String
    let period: String
    let from_ms, to_ms: UnixMilliseconds
    /// `current`, or `rewriting`: then what is below is left out until it is made anew.
    let state: String
    let version: Int64
    /// Lines below that of names.
    let rows: Int?
    let bytes: Int64?
    let sha256: String?
    let made_ms: UnixMilliseconds?

    /// - Parameter zone: whose days statistics go by.
    init(_ export: StoredExport, in zone: TimeZone) {
        name = export.span.name
        content = export.span.content.rawValue
        period = export.span.period.rawValue
        let time = export.span.time(in: zone)
        (from_ms, to_ms) = (time.lowerBound, time.upperBound)
        state = export.isCurrent ? "current" : "rewriting"
        version = export.version
        rows = export.isCurrent ? export.rows : nil
        bytes = export.isCurrent ? export.bytes : nil
        sha256 = export.isCurrent ? Hexadecimal.text(export.sha256) : nil
        made_ms = export.isCurrent ? export.madeAt : nil
    }
}
