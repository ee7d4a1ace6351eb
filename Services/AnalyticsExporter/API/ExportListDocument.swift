internal import ExporterStores
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
    let period: String
    let from_ms, to_ms: UnixMilliseconds
    /// `current`, or `rewriting`: then what is below is left out until it is made anew.
    let state: String
    let version: Int64
    let rows: Int?
    let bytes: Int64?
    let sha256: String?
    let made_ms: UnixMilliseconds?

    init(_ export: StoredExport) {
        name = export.span.name
        period = export.span.period.rawValue
        (from_ms, to_ms) = (export.span.time.lowerBound, export.span.time.upperBound)
        state = export.isCurrent ? "current" : "rewriting"
        version = export.version
        rows = export.isCurrent ? export.rows : nil
        bytes = export.isCurrent ? export.bytes : nil
        sha256 = export.isCurrent ? Hexadecimal.text(export.sha256) : nil
        made_ms = export.isCurrent ? export.madeAt : nil
    }
}
