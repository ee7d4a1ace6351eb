public import Models
import OpenFormats

/// Reads a recording row by row in bounded memory.
///
/// A recording is gzip (or plain) CSV: a first line of ``RecordingNotes``, a header, rows in the order in which
/// they are sent: by `captured_at_ms`, or by `sent_at_ms` where that is later.
/// Values are read, not judged: what is out of range is for the device API to refuse. Confined to one thread.
public struct RecordingReader {
    public let path: String
    public let notes: RecordingNotes
    private let programmes: Programmes
    private var csv: CSVReader
    private var row = CSVRow()
    private let columns: [Column]
    private let kindCell: Int?
    /// Of each kind that came, by its number: the fields under the columns.
    private var fields: [UInt8: [Field?]] = [:]
    private var last = Int64.min
    /// Cells so far, by the name of the column, of fields that the row's kind does not have: they are in no row.
    public private(set) var passedOver: [String: Int] = [:]

    private enum Column {
        case device, kind, sentAt
        /// A field, if the kind of the row has it.
        case field(name: String)
    }

    /// - Throws: ``RecordingError`` if the file is no recording, is of a newer format, or lacks a column.
    public init(path: String, _ programmes: Programmes = .registered) throws {
        self.path = path
        self.programmes = programmes
        csv = CSVReader(try InputFile(path: path))
        notes = try Self.notes(csv.readComment(), path)
        guard try csv.read(&row) else { throw RecordingError(path, "a recording without a header") }
        let names = row.texts
        for needed in [RecordingColumns.device, RecordingColumns.kind, "captured_at_ms"] where !names.contains(needed) {
            throw RecordingError(path, line: row.line, "the header has no column \(needed)")
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw RecordingError(path, line: row.line, "the header has column \(twice) twice")
        }
        columns = names.map { name in
            switch name {
            case RecordingColumns.device: .device
            case RecordingColumns.kind: .kind
            case RecordingColumns.sentAt: .sentAt
            default: .field(name: name)
            }
        }
        kindCell = names.firstIndex(of: RecordingColumns.kind)
    }

    /// The next row; nil at the end.
    ///
    /// - Throws: ``RecordingError`` naming line and column for a cell that is no value, and for a row out of order.
    public mutating func next() throws -> RecordingRow? {
        guard try csv.read(&row) else { return nil }
        guard row.count == columns.count else { throw fault("\(row.count) cells; the header has \(columns.count)") }
        var result = RecordingRow(device: "")
        if let cell = kindCell { result.kind = try kind(row[cell]) }
        let fields = fields(of: result.kind.recordKind)
        for (cell, column) in columns.enumerated() { try take(row[cell], column, fields[cell], into: &result) }
        guard !result.device.isEmpty else { throw fault("no device") }
        guard result.values[ColumnID.capturedAt] != nil else { throw fault("no captured_at_ms") }
        guard result.due >= last else {
            throw fault("\(result.timeName) \(result.due) is before that of the row above")
        }
        last = result.due
        return result
    }

    private mutating func fields(of kind: RecordKind) -> [Field?] {
        if let known = fields[kind.id] { return known }
        let found = columns.map { column -> Field? in
            guard case .field(let name) = column else { return nil }
            return RecordingColumns.field(named: name, of: kind)
        }
        fields[kind.id] = found
        return found
    }

    private func kind(_ text: String) throws -> RecordingKind {
        if let kind = RecordingKind(name: text, programmes) { return kind }
        let known = programmes.kinds.map(\.kind.name).joined(separator: ", ")
        throw fault("column kind: \"\(text)\" is not a kind; there are \(known)")
    }

    private mutating func take(_ text: String, _ column: Column, _ field: Field?, into result: inout RecordingRow)
        throws
    {
        switch column {
        case .device: result.device = text
        case .kind: break
        case .sentAt where text.isEmpty: break
        case .sentAt:
            guard let time = Int64(text) else { throw fault("column sent_at_ms: \"\(text)\" is not a value of it") }
            result.sentAt = time
        case .field(let name):
            guard !text.isEmpty else { return }
            guard let field else { return passedOver[name, default: 0] += 1 }
            if field.isText { return result.texts[field.column] = text }
            guard let value = field.stored(text) else {
                throw fault("column \(name): \"\(text)\" is not a value of it")
            }
            result.values[field.column] = value
        }
    }

    private func fault(_ message: String) -> RecordingError { RecordingError(path, line: row.line, message) }

    private static func notes(_ line: String?, _ path: String) throws -> RecordingNotes {
        guard let line else {
            throw RecordingError(path, line: 1, "not a recording: the first line is not \"# nkul-recording 1\"")
        }
        do { return try RecordingNotes(line: line) } catch {
            switch error {
            case .notARecording:
                throw RecordingError(path, line: 1, "not a recording: the first line is not \"# nkul-recording 1\"")
            case .newer(let version): throw RecordingError(path, newer: version)
            }
        }
    }
}

/// Why a file of rows cannot be read or written: which file, which line, what.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
    public let path: String
    /// Counted from 1; 0 where the whole file is meant.
    public let line: Int
    public let message: String

    public init(_ path: String, line: Int = 0, _ message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    /// A recording of a format that only newer builds read.
    init(_ path: String, newer version: String) {
        self.init(path, line: 1, "a recording of format \(version); this build reads up to \(RecordingNotes.version)")
    }

    public var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}
