import OpenFormats

/// The rows of a file of unknown separator and encoding, its first row (the header) read already.
///
/// Lines of remarks in front of the header are passed over, as are what WiGLE writes there of the phone and what spreadsheets
/// write there of the separator (`sep=;`).
struct ImportText {
    private static let separators: [(byte: UInt8, name: String)] = [
        (CSVReader.comma, "commas"), (UInt8(ascii: ";"), "semicolons"), (UInt8(ascii: "\t"), "tabs"),
        (UInt8(ascii: "|"), "bars"),
    ]

    let path: String
    /// Its first line, if it is a recording.
    let notes: RecordingNotes?
    private(set) var row = CSVRow()
    private var csv: CSVReader
    private let separator: String

    /// - Throws: ``RecordingError`` if the file cannot be read, has no row, or is a recording of a newer format.
    init(path: String) throws {
        self.path = path
        let (lines, first) = try Self.beginning(path)
        notes = try lines.first.flatMap { try Self.notes($0, path) }
        let found = Self.separator(of: first)
        separator = found.name
        csv = CSVReader(try InputFile(path: path), separator: found.byte)
        for _ in lines { _ = try csv.readText() }
        guard try csv.read(&row) else { throw RecordingError(path, "an empty file") }
    }

    /// Reads the next row into ``row``; false at the end.
    mutating func next() throws -> Bool { try csv.read(&row) }

    /// `semicolons, UTF-16`.
    var dialect: String { "\(separator), \(csv.encoding)" }

    private static func notes(_ line: String, _ path: String) throws -> RecordingNotes? {
        do { return try RecordingNotes(line: line) } catch {
            switch error {
            case .notARecording: return nil
            case .newer(let version): throw RecordingError(path, newer: version)
            }
        }
    }

    /// The lines in front of the header, and the header's line (or what says its separator).
    private static func beginning(_ path: String) throws -> (lines: [String], first: String) {
        var csv = CSVReader(try InputFile(path: path)), lines: [String] = [], stated: String?
        while let line = try csv.readText() {
            if line.lowercased().hasPrefix("sep="), line.utf8.count == 5 {
                stated = String(line.suffix(1))
            } else if !line.hasPrefix("#"), !line.hasPrefix("WigleWifi-"), !line.isEmpty {
                return (lines, stated ?? line)
            }
            lines.append(line)
        }
        throw RecordingError(path, "an empty file")
    }

    /// The separator that stands most often outside of quotes.
    private static func separator(of line: String) -> (byte: UInt8, name: String) {
        var counts = [Int](repeating: 0, count: separators.count), isQuoted = false
        for byte in line.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, let place = separators.firstIndex(where: { $0.byte == byte }) { counts[place] += 1 }
        }
        let most = counts.max() ?? 0
        return separators[counts.firstIndex(of: most) ?? 0]
    }
}
