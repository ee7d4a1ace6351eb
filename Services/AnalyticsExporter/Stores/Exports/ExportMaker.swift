package import Crypto
package import ExporterRows
package import ExporterSupport
internal import GRDB
package import Models
internal import Storage
internal import Wire

/// Makes files of exports: an hour of the raw rows, a day of its hours, statistics of an hour or a day. Confined to one thread.
///
///     hour       = gzip member of the line of names │ gzip member of the rows, in order of arrival
///     day        = its first hour │ the rows of the others
///     statistics = gzip member of the line of names │ gzip member of the lines
package final class ExportMaker {
    /// Uncompressed bytes that are compressed at once.
    private static let page = 65_536
    /// Blocks that are fetched at once.
    private static let batch = 8

    let shelf: ExportShelf
    private let rows: RawRowFiles.Opener
    private let pseudonymKey: SymmetricKey
    private var decoder = ColumnDecoder()

    package init(_ shelf: ExportShelf, _ rows: RawRowFiles.Opener, pseudonymKey: SymmetricKey) {
        (self.shelf, self.rows, self.pseudonymKey) = (shelf, rows, pseudonymKey)
    }

    /// The rows of an hour that a tenant is shown, in a file beside the others.
    ///
    /// - Parameters:
    ///   - path: where the file is made, that of files that are not finished if none is given.
    ///   - goesOn: false when it is to leave everything.
    /// - Returns: nil if the hour has changed meanwhile, or it was to leave everything.
    package func make(
        _ hour: Int64, of tenant: Tenant, _ ticket: ExportShelf.Ticket, now: UnixMilliseconds, at path: String? = nil,
        while goesOn: () -> Bool = { true }
    ) throws -> ExportDraft? {
        let file = try ExportWriter(path ?? shelf.unfinishedPath, (tenant.number, hour), shelf.sealer)
        defer { file.close() }
        var digest = SHA256(), bytes: Int64 = 0
        func write(_ compressed: [UInt8]) throws {
            digest.update(data: compressed)
            bytes += Int64(compressed.count)
            try file.append(compressed)
        }
        try write(Deflater.deflate(rows.layout.header, format: .gzip))
        let headerBytes = bytes
        var printer = RowPrinter(
            format: .csv, layout: rows.layout, pseudonyms: Pseudonyms(key: pseudonymKey, tenant: tenant))
        var deflater = Deflater(format: .gzip, level: 1), count = 0, text: [UInt8] = [], out: [UInt8] = []
        let isRead = try forEachBlock(of: hour, tenant.scope, while: { goesOn() && shelf.isGood(ticket) }) { block in
            let rows = shownRows(of: block, in: hour, tenant.scope)
            count += rows.count
            printer.print(block, rows: rows, to: &text)
            guard text.count >= Self.page else { return }
            try deflater.append(text, into: &out)
            try write(out)
            text.removeAll(keepingCapacity: true)
            out.removeAll(keepingCapacity: true)
        }
        guard isRead else { return nil }
        if count > 0 {
            try deflater.append(text, into: &out)
            try deflater.finish(into: &out)
            try write(out)
        }
        try file.finish()
        return ExportDraft(
            export: StoredExport(
                tenant: tenant.number, span: .hour(hour), rows: count, bytes: bytes, headerBytes: headerBytes,
                sha256: Array(digest.finalize()), keyID: shelf.sealer?.keyID ?? 0, layout: rows.layout.number,
                madeAt: now), source: .rows(ticket))
    }

    /// The day of some hours, which must be current and all of it.
    ///
    /// - Returns: nil if a file went meanwhile, or it was to leave everything.
    func make(
        dayOf hours: [StoredExport], now: UnixMilliseconds, while goesOn: () -> Bool
    ) throws -> ExportDraft? {
        var digest = SHA256()
        let parts = ExportParts(hours, shelf)
        var offset: Int64 = 0
        while offset < parts.length {
            guard goesOn(), let bytes = try parts.read(from: offset) else { return nil }
            digest.update(data: bytes)
            offset += Int64(bytes.count)
        }
        let first = hours[0]
        return ExportDraft(
            export: StoredExport(
                tenant: first.tenant, span: .day(ReceivedHour.day(of: first.span.start)),
                rows: hours.reduce(0) { $0 + $1.rows }, bytes: parts.length, headerBytes: first.headerBytes,
                sha256: Array(digest.finalize()), keyID: 0, layout: rows.layout.number, madeAt: now),
            source: .hours(hours))
    }

    /// - Parameter goesOn: asked before each block, whether it is opened or not.
    /// - Returns: false if that was false once.
    private func forEachBlock(
        of hour: Int64, _ scope: NetworkScope, while goesOn: () -> Bool, _ body: (StoredBlock) throws -> Void
    ) throws -> Bool {
        let day = ReceivedDay.text(of: ReceivedHour.day(of: hour))
        guard rows.index.holds(day) else { return true }
        let file: ReadOnlyDatabase
        do { file = try rows.open(day) } catch {
            // Its time may have been over this very moment.
            guard rows.index.holds(day) else { return true }
            throw error
        }
        defer { if rows.memory == nil { try? file.close() } }
        var after: Int64 = 0
        while true {
            let stored = try file.read { db in
                try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [after, hour, Self.batch]).map {
                    try StoredRow($0, day: day, rows.layout)
                }
            }
            guard let last = stored.last else { return true }
            for row in stored {
                guard goesOn() else { return false }
                guard !row.isEmpty, row.mayBeIn(scope) else { continue }
                try body(row.opened(day: day, in: rows.directory, rows.sealer, &decoder))
            }
            after = last.sequence
        }
    }

    private func shownRows(of block: StoredBlock, in hour: Int64, _ scope: NetworkScope) -> [Int] {
        let owners = RowOwners(block.columns, rows.layout.scope(of: block.kind.id)),
            received = block.columns[ColumnID.receivedAt]
        return (0..<block.columns.rowCount).filter { row in
            received?.integer(row).map(ReceivedHour.number) == hour && owners.isShown(row, to: scope)
        }
    }

    private var sql: String {
        """
        SELECT \(StoredRow.columns) FROM \(StoredRow.from) JOIN block_hours h ON h.sequence = b.sequence
        WHERE b.sequence > ?1 AND (h.first IS NULL OR h.first <= ?2 AND h.last >= ?2)
            AND b.kind IN (\(rows.layout.kindList))
        ORDER BY b.sequence LIMIT ?3
        """
    }
}

/// A file that was made and is not in the table yet.
package struct ExportDraft: Sendable {
    /// What it was made of.
    enum Source: Sendable {
        case rows(ExportShelf.Ticket)
        case figures(ExportShelf.Ticket)
        case hours([StoredExport])
    }

    package let export: StoredExport
    let source: Source
}
