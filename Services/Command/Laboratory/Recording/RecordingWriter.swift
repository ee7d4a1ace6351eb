import CommandSupport
public import Models
import Wire

/// Writes a recording row by row in bounded memory.
///
/// The file appears under its name when ``finish()`` has synced it, never before; the same rows give the same bytes.
/// Confined to one thread.
public final class RecordingWriter {
    public var path: String { file.path }
    public private(set) var rowCount = 0
    private let fields: [Field]
    private let isDelayed: Bool
    /// Of each kind that came, by its number: its own fields under the names of ``fields``.
    private var own: [UInt8: [Field?]] = [:]
    private let file: DraftFile
    private var deflater = Deflater(format: .gzip, level: 6)
    private var text: [UInt8] = []
    private var last = Int64.min

    /// - Parameters:
    ///   - further: kinds besides reports and feedback of which rows will come; other recordings do not have their columns.
    ///   - isDelayed: whether some rows are sent later than they were captured; other recordings do not have that column.
    /// - Throws: `ServiceError` naming the file and the cause, as do the other calls.
    public init(path: String, notes: RecordingNotes, further: [RecordKind] = [], isDelayed: Bool = false) throws {
        self.isDelayed = isDelayed
        fields = RecordingColumns.fields(further)
        file = try DraftFile(path, isReplacing: true)
        text += Array(
            "\(notes.line)\n\(RecordingColumns.header(fields, isDelayed: isDelayed).joined(separator: ","))\n".utf8)
    }

    /// Adds a row.
    ///
    /// - Throws: ``RecordingError`` for a row that is not in the order in which they are sent.
    public func append(_ row: RecordingRow) throws {
        guard row.due >= last else {
            throw RecordingError(
                path, line: rowCount + 3, "\(row.timeName) \(row.due) is before that of the row above")
        }
        last = row.due
        rowCount += 1
        add(row.device)
        text.append(44)
        add(row.kind.name)
        if isDelayed {
            text.append(44)
            if let sentAt = row.sentAt { text += Array("\(sentAt)".utf8) }
        }
        for field in fields(of: row.kind.recordKind) {
            text.append(44)
            guard let field else { continue }
            if let value = row.texts[field.column] { add(value) }
            if let value = row.values[field.column] { text += Array(field.text(value).utf8) }
        }
        text.append(10)
        if text.count > 65_536 { try flush() }
    }

    private func fields(of kind: RecordKind) -> [Field?] {
        if let known = own[kind.id] { return known }
        let found = fields.map { RecordingColumns.field(named: $0.name, of: kind) }
        own[kind.id] = found
        return found
    }

    /// Ends the file, syncs it and gives it its name.
    public func finish() throws {
        try complete()
        try publish()
    }

    /// Ends the file and syncs it, still without its name.
    func complete() throws {
        try flush()
        var end: [UInt8] = []
        do { try deflater.finish(into: &end) } catch { throw RecordingError(path, "\(error)") }
        try file.write(end)
        try file.sync()
    }

    /// Gives a complete file its name.
    func publish() throws { try file.publish() }

    private func add(_ cell: String) {
        guard cell.utf8.contains(where: { $0 == 44 || $0 == 34 || $0 == 10 || $0 == 13 }) else {
            text += Array(cell.utf8)
            return
        }
        text.append(34)
        for byte in cell.utf8 {
            if byte == 34 { text.append(34) }
            text.append(byte)
        }
        text.append(34)
    }

    private func flush() throws {
        var output: [UInt8] = []
        do { try deflater.append(text, into: &output) } catch { throw RecordingError(path, "\(error)") }
        text.removeAll(keepingCapacity: true)
        try file.write(output)
    }
}
