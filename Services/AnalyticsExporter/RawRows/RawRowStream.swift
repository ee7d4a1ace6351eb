internal import Synchronization
internal import Wire

/// The text of a download, page by page: the next is read when it is asked for.
///
/// `@unchecked Sendable`: the mutable parts are touched on the stream's own reading thread only, by one ``next()`` at a
/// time (a caller awaits each), and by `deinit` after the last.
final class RawRowStream: @unchecked Sendable {
    /// Uncompressed bytes of a page, about.
    static let pageBytes = 65_536
    /// Blocks looked at for one page, so that a filter that finds nothing still answers in pieces.
    static let pageBlocks = 64

    private let thread = ReadingThread("download")
    private let permits: Permits
    private let query: RawRowQuery
    private let reader: RawRowReader
    private var printer: RowPrinter
    private var deflater: Deflater?
    private var left: Int
    private var hasStarted = false
    private var hasEnded = false

    /// Gives its permit back when it is released.
    init(reader: RawRowReader, query: RawRowQuery, printer: RowPrinter, isCompressed: Bool, permits: Permits) {
        self.reader = reader
        self.query = query
        self.printer = printer
        self.permits = permits
        deflater = isCompressed ? Deflater(format: .gzip, level: 1) : nil
        left = query.limit
    }

    deinit { permits.giveBack() }

    /// The next bytes, nil at the end; a page may be empty while nothing was found yet.
    func next() async throws -> [UInt8]? {
        try await thread.run { try self.page() }
    }

    private func page() throws -> [UInt8]? {
        guard !hasEnded else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(Self.pageBytes * 2)
        if !hasStarted { text.append(contentsOf: printer.header) }
        hasStarted = true
        var looked = 0
        while text.count < Self.pageBytes, looked < Self.pageBlocks, left > 0, let block = try reader.next(query) {
            looked += 1
            let rows = query.rows(of: block).prefix(left)
            printer.print(block, rows: Array(rows), to: &text)
            left -= rows.count
        }
        hasEnded = left == 0 || reader.isAtEnd
        return try compressed(text)
    }

    private func compressed(_ text: [UInt8]) throws -> [UInt8] {
        guard deflater != nil else { return text }
        var out: [UInt8] = []
        try deflater!.append(text, into: &out)
        if hasEnded { try deflater!.finish(into: &out) }
        return out
    }
}
