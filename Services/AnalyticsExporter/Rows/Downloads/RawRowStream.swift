package import ExporterSupport
internal import Synchronization
internal import Wire

/// The text of a download, page by page: the next is read when it is asked for.
///
/// `@unchecked Sendable`: the mutable parts are touched on the stream's own reading thread only, by one ``next()`` at a
/// time (a caller awaits each), and by `deinit` after the last.
package final class RawRowStream: @unchecked Sendable {
    /// Uncompressed bytes of a page, about.
    static let pageBytes = 65_536
    /// Blocks looked at for one page, so that a filter that finds nothing still answers in pieces.
    static let pageBlocks = 64

    private let thread = ReadingThread("download")
    private let permits: Permits
    private let query: RawRowQuery
    private let reader: RawRowReader
    private let rewritten: RecentChanges
    private var printer: RowPrinter
    private var deflater: Deflater?
    private var left: Int
    private var hasStarted = false
    private var hasEnded = false

    /// Gives its permit back when it is released.
    package init(reader: RawRowReader, query: RawRowQuery, printer: RowPrinter, isCompressed: Bool, permits: Permits) {
        self.reader = reader
        rewritten = reader.files.rewritten
        self.query = query
        self.printer = printer
        self.permits = permits
        deflater = isCompressed ? Deflater(format: .gzip, level: 1) : nil
        left = query.limit
    }

    deinit { permits.giveBack() }

    /// A piece of a download, and the blocks it was made of.
    package struct Page: Sendable {
        package let bytes: [UInt8]
        fileprivate let blocks: ClosedRange<Int64>
        fileprivate let rewritten: Int
    }

    /// The next page, nil at the end; it may be empty while nothing was found yet.
    package func next() async throws -> Page? {
        try await thread.run { try self.page() }
    }

    /// False if rows were erased in the page's blocks since they were read: it must not be sent.
    package func isCurrent(_ page: Page) -> Bool { !rewritten.touch(page.blocks, since: page.rewritten) }

    private func page() throws -> Page? {
        guard !hasEnded else { return nil }
        let header = hasStarted ? [] : printer.header
        hasStarted = true
        while true {
            let before = rewritten.count, start = reader.position, rowsLeft = left
            let text = try printed(after: header)
            let blocks = start...max(start, reader.position - 1)
            guard rewritten.touch(blocks, since: before) else {
                return Page(bytes: try compressed(text), blocks: blocks, rewritten: before)
            }
            // Rows were erased from under it.
            try reader.move(to: start)
            left = rowsLeft
        }
    }

    private func printed(after header: [UInt8]) throws -> [UInt8] {
        var text = header
        text.reserveCapacity(Self.pageBytes * 2)
        var looked = 0
        while text.count < Self.pageBytes, looked < Self.pageBlocks, left > 0, let block = try reader.next(query) {
            looked += 1
            let rows = query.rows(of: block).prefix(left)
            printer.print(block, rows: Array(rows), to: &text)
            left -= rows.count
        }
        hasEnded = left == 0 || reader.isAtEnd
        return text
    }

    private func compressed(_ text: [UInt8]) throws -> [UInt8] {
        guard deflater != nil else { return text }
        var out: [UInt8] = []
        // Flushed, so that nothing of this page is sent with a later one.
        try deflater!.append(text, into: &out, flush: !hasEnded)
        if hasEnded { try deflater!.finish(into: &out) }
        return out
    }
}
