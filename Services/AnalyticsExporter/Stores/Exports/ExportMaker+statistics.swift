internal import Crypto
internal import ExporterSupport
internal import Models
internal import Storage
internal import Wire

extension ExportMaker {
    /// The figures of an hour or a day that a tenant may see, in a file beside the others. All are of the same moment.
    ///
    /// - Parameters:
    ///   - lines: prints them.
    ///   - state: the exporter's database.
    ///   - goesOn: false when it is to leave everything.
    /// - Returns: nil if somebody was erased meanwhile, or it was to leave everything.
    func make(
        _ span: ExportSpan, of tenant: Tenant, _ lines: any StatisticsLines, _ state: ReadOnlyDatabase,
        _ ticket: ExportShelf.Ticket, now: UnixMilliseconds, while goesOn: () -> Bool
    ) throws -> ExportDraft? {
        let file = try ExportWriter(shelf.unfinishedPath, (tenant.number, span.binding), shelf.sealer)
        defer { file.close() }
        var digest = SHA256(), bytes: Int64 = 0
        func write(_ compressed: [UInt8]) throws {
            digest.update(data: compressed)
            bytes += Int64(compressed.count)
            try file.append(compressed)
        }
        try write(Deflater.deflate(lines.names, format: .gzip))
        let headerBytes = bytes
        var deflater = Deflater(format: .gzip, level: 1), count = 0, out: [UInt8] = []
        let isRead = try state.read { db in
            try lines.print(span, for: tenant, db) { text, lines in
                guard goesOn(), shelf.isGood(ticket) else { return false }
                count += lines
                try deflater.append(text, into: &out)
                try write(out)
                out.removeAll(keepingCapacity: true)
                return true
            }
        }
        guard isRead else { return nil }
        if count > 0 {
            try deflater.finish(into: &out)
            try write(out)
        }
        try file.finish()
        return ExportDraft(
            export: StoredExport(
                tenant: tenant.number, span: span, rows: count, bytes: bytes, headerBytes: headerBytes,
                sha256: Array(digest.finalize()), keyID: shelf.sealer?.keyID ?? 0, layout: StatisticsLayout.number,
                madeAt: now), source: .figures(ticket))
    }
}
