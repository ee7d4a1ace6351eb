/// Reads RFC 4180 row by row: cells between commas or another separator, quotes doubled inside quotes, lines that end with
/// CRLF, LF or CR and with nothing else (U+0085 and U+2028 are text). UTF-8, or UTF-16 where the file begins as that does.
///
/// Memory: one piece of the file and one row, whose bytes are limited. Confined to one thread.
public struct CSVReader {
    /// Most bytes of one row.
    public static let rowLimit = 1 << 20
    /// What stands between cells in files of this program.
    public static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let cr = UInt8(ascii: "\r"), lf = UInt8(ascii: "\n")

    private enum Place { case start, plain, quoted, afterQuote }

    private let source: any CSVSource
    private let separator: UInt8
    private var transcoder: UTF16Transcoder?
    private var buffer: [UInt8] = []
    private var next = 0
    private var line = 1
    private var isAtStart = true
    /// Where the row that was read last begins in the buffer, and on which line; nil if that piece is gone.
    private var beginning: (place: Int, line: Int)?

    public init(_ source: any CSVSource, separator: UInt8 = comma) {
        self.source = source
        self.separator = separator
    }

    /// What the file is written in, as far as it has been read: `UTF-8` or `UTF-16`.
    public var encoding: String { transcoder == nil ? "UTF-8" : "UTF-16" }

    /// Reads the next row into `row`; false at the end of the file. Empty lines are passed over.
    ///
    /// - Throws: what the source makes of a fault, naming the line, for a quote that does not end, or for text after a closing quote.
    public mutating func read(_ row: inout CSVRow) throws -> Bool {
        try skipByteOrderMark()
        repeat {
            guard try readLine(&row) else { return false }
        } while row.isBlank
        return true
    }

    /// The next line as it is, without its end, if it begins with `#`; nil if not.
    public mutating func readComment() throws -> String? {
        try skipByteOrderMark()
        guard try peek() == UInt8(ascii: "#") else { return nil }
        return try readText()
    }

    /// The next line as it is, without its end, also if quotes stand in it; nil at the end of the file.
    public mutating func readText() throws -> String? {
        try skipByteOrderMark()
        guard try peek() != nil else { return nil }
        var text: [UInt8] = []
        while let byte = try take(), byte != Self.lf {
            if byte == Self.cr {
                if try peek() == Self.lf { next += 1 }
                break
            }
            text.append(byte)
            guard text.count <= Self.rowLimit else { throw fault("a line of more than \(Self.rowLimit) bytes") }
        }
        line += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// After a fault: goes on behind the line on which the row at fault begins, so that an open quote spoils one row only.
    ///
    /// - Returns: false if that line was in a piece of the source that is gone; then nothing follows.
    public mutating func passFaultyLine() throws -> Bool {
        guard let beginning else { return false }
        (next, line) = beginning
        while let byte = try take(), byte != Self.lf {
            guard byte == Self.cr else { continue }
            if try peek() == Self.lf { next += 1 }
            break
        }
        line += 1
        return true
    }

    private mutating func readLine(_ row: inout CSVRow) throws -> Bool {
        row.begin(line: line)
        _ = try peek()
        beginning = (next, line)
        guard var byte = try take() else { return false }
        var place = Place.start
        while true {
            if try !add(byte, &place, &row) { return true }
            guard let following = try take() else { break }
            byte = following
        }
        if place == .quoted { throw fault("a quote that opened on line \(row.line) does not close") }
        row.ends.append(row.bytes.count)
        return true
    }

    /// Takes one byte into the row; false when it ended the row.
    private mutating func add(_ byte: UInt8, _ place: inout Place, _ row: inout CSVRow) throws -> Bool {
        if place == .quoted {
            if byte == Self.quote { place = .afterQuote } else { try append(byte, &row) }
            if byte == Self.lf { line += 1 }
            return true
        }
        switch byte {
        case separator:
            row.ends.append(row.bytes.count)
            place = .start
        case Self.lf, Self.cr:
            if byte == Self.cr, try peek() == Self.lf { next += 1 }
            line += 1
            row.ends.append(row.bytes.count)
            return false
        case Self.quote where place == .start:
            place = .quoted
        case Self.quote where place == .afterQuote:
            try append(byte, &row)
            place = .quoted
        default:
            guard place != .afterQuote else { throw fault("text after a closing quote") }
            try append(byte, &row)
            place = .plain
        }
        return true
    }

    private func append(_ byte: UInt8, _ row: inout CSVRow) throws {
        guard row.bytes.count < Self.rowLimit else { throw fault("a row of more than \(Self.rowLimit) bytes") }
        row.bytes.append(byte)
    }

    private func fault(_ message: String) -> any Error { source.fault(line: line, message) }

    private mutating func skipByteOrderMark() throws {
        guard isAtStart else { return }
        guard try peek() != nil else { return }
        isAtStart = false
        guard buffer[next] == 0xEF, buffer.count >= next + 3, buffer[next + 1] == 0xBB, buffer[next + 2] == 0xBF else {
            return
        }
        next += 3
    }

    private mutating func peek() throws -> UInt8? {
        if next == buffer.count {
            // At the end the last piece is kept: see `passFaultyLine`.
            guard try refill() else { return nil }
            next = 0
        }
        return buffer[next]
    }

    /// The next piece of the file, as UTF-8.
    private mutating func refill() throws -> Bool {
        var piece: [UInt8] = []
        repeat {
            if try source.next(&piece) {
                if isAtStart, transcoder == nil { transcoder = UTF16Transcoder(beginningOf: piece) }
                transcoder?.replace(&piece)
            } else {
                piece = transcoder?.finish() ?? []
                guard !piece.isEmpty else { return false }
            }
        } while piece.isEmpty
        buffer = piece
        beginning = nil
        return true
    }

    private mutating func take() throws -> UInt8? {
        let byte = try peek()
        if byte != nil { next += 1 }
        return byte
    }
}
