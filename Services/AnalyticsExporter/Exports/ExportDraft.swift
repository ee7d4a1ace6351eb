/// A file that was made and is not in the table yet.
struct ExportDraft: Sendable {
    /// What it was made of.
    enum Source: Sendable {
        case rows(ExportShelf.Ticket)
        case hours([StoredExport])
    }

    let export: StoredExport
    let source: Source
}

/// An hour of one tenant.
struct TenantHour: Hashable, Sendable {
    let tenant: Int64
    let hour: Int64
}
