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

    private let file: InputFile
    private let separator: UInt8
    private var transcoder: UTF16Transcoder?
    private var buffer: [UInt8] = []
    private var next = 0
    private var line = 1
    private var isAtStart = true

    public init(_ file: InputFile, separator: UInt8 = comma) {
        self.file = file
        self.separator = separator
    }

    /// What the file is written in, as far as it has been read: `UTF-8` or `UTF-16`.
    var encoding: String { transcoder == nil ? "UTF-8" : "UTF-16" }

    /// Reads the next row into `row`; false at the end of the file. Empty lines are passed over.
    ///
    /// - Throws: ``RecordingError`` naming the line for a quote that does not end, or for text after a closing quote.
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
    mutating func readText() throws -> String? {
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

    private mutating func readLine(_ row: inout CSVRow) throws -> Bool {
        row.begin(line: line)
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

    private func fault(_ message: String) -> RecordingError { RecordingError(file.path, line: line, message) }

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
            next = 0
            guard try refill() else { return nil }
        }
        return buffer[next]
    }

    /// The next piece of the file, as UTF-8.
    private mutating func refill() throws -> Bool {
        repeat {
            guard try file.next(&buffer) else {
                buffer = transcoder?.finish() ?? []
                return !buffer.isEmpty
            }
            if isAtStart, transcoder == nil { transcoder = UTF16Transcoder(beginningOf: buffer) }
            transcoder?.replace(&buffer)
        } while buffer.isEmpty
        return true
    }

    private mutating func take() throws -> UInt8? {
        let byte = try peek()
        if byte != nil { next += 1 }
        return byte
    }
}

/// The cells of one CSV row; a buffer that is filled again and again.
public struct CSVRow {
    /// The line on which the row begins, counted from 1.
    public internal(set) var line = 0
    var bytes: [UInt8] = []
    var ends: [Int] = []

    public init() {}

    public var count: Int { ends.count }

    /// The text of a cell, as it is between its quotes; of bytes that are no UTF-8, as Windows-1252 has it.
    public subscript(cell: Int) -> String {
        let cell = bytes[(cell == 0 ? 0 : ends[cell - 1])..<ends[cell]]
        return String(validating: cell, as: UTF8.self) ?? Windows1252.text(cell)
    }

    /// Whether nothing stands in a cell.
    func isEmpty(_ cell: Int) -> Bool { ends[cell] == (cell == 0 ? 0 : ends[cell - 1]) }

    /// Whether all cells are UTF-8.
    var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// All cells.
    public var texts: [String] { (0..<count).map { self[$0] } }

    /// An empty line, which is no row.
    var isBlank: Bool { ends.count == 1 && bytes.isEmpty }

    mutating func begin(line: Int) {
        self.line = line
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}
