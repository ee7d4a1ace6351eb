import Models
import OpenFormats
import QoE

/// CSV with the device API's column names (its own, or those that `--columns` gives), or a recording.
struct OwnCSV: ImportFormat {
    static let name = "Nkul CSV"
    private static let times = ["captured_at", "captured_at_ms"]
    /// The columns of every kind that phones send.
    static let names: [String] = {
        let kinds = Programmes.registered.kinds.map(\.kind).sorted { $0.id < $1.id }
        var seen: Set<String> = []
        return
            ([RecordingColumns.device, RecordingColumns.kind, RecordingColumns.sentAt]
            + kinds.flatMap { $0.fields + $0.spellings }.flatMap { [$0.name, RecordingColumns.name(of: $0)] })
            .filter { seen.insert($0).inserted }
    }()
    private static let known = Set(names)

    private let header: ImportHeader
    private let device: String
    private var clock: LocalTime
    private var last = UnixMilliseconds.min

    static func matches(_ header: ImportHeader) -> Bool { header.place(ofFirst: times) != nil }

    /// This format if it is one but for times, which `--captured-at` gives.
    static func withoutTimes(_ header: ImportHeader) -> (any ImportFormat.Type)? {
        header.columns.count { knows($0.name) } > 1 ? self : nil
    }

    static func uses(_ column: String) -> Bool { knows(column) }

    /// Whether the device API has a column of that name.
    static func knows(_ column: String) -> Bool { known.contains(column) }

    /// When all rows were captured, if the file does not say.
    private let capturedAt: UnixMilliseconds?

    init(header: ImportHeader, device: String, settings: ImportSettings, path: String) throws {
        capturedAt = Self.matches(header) ? nil : settings.capturedAt
        guard Self.matches(header) || capturedAt != nil else {
            throw RecordingError(
                path,
                "no column says when its rows were captured: name one by --columns …=captured_at, or say it by --captured-at"
            )
        }
        self.header = header
        self.device = device
        clock = LocalTime(zone: settings.zone)
    }

    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow? {
        let ownDevice = text(RecordingColumns.device, cells)
        var row = RecordingRow(device: ownDevice ?? device)
        let named = text(RecordingColumns.kind, cells) ?? ""
        guard let kind = named.isEmpty ? .feedback : RecordingKind(name: named.lowercased(), .registered) else {
            ledger.note(.unknownKind, named)
            return nil
        }
        row.kind = kind
        guard let time = time(cells, &ledger) else { return nil }
        readFields(cells, into: &row, &ledger)
        row.capturedAt = time
        row.sentAt = sentAt(cells, &ledger)
        if row.kind == .feedback, row.values[ColumnID.rating] == nil {
            row.kind = .report
            let report = row.kind.recordKind
            let lost =
                row.texts.keys.filter { report.field($0) == nil } + row.values.keys.filter { report.field($0) == nil }
            for column in lost { (row.texts[column], row.values[column]) = (nil, nil) }
            if !named.isEmpty || !lost.isEmpty { ledger.note(.scoreMissing) }
        }
        checkPosition(&row, &ledger)
        if row.due < last { ledger.note(.outOfOrder, "\(row.due)") }
        last = max(last, row.due)
        return ImportedRow(
            row: row, line: cells.line, hasOperator: row.values[ColumnID.mcc] != nil, hasDevice: ownDevice != nil)
    }

    private func text(_ column: String, _ cells: CSVRow) -> String? {
        guard let place = header[column], !cells.isEmpty(place) else { return nil }
        let text = cells[place].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        return text.isEmpty ? nil : String(text)
    }

    /// `captured_at_ms` stands above `captured_at`, as at the device API.
    private mutating func time(_ cells: CSVRow, _ ledger: inout ImportLedger) -> UnixMilliseconds? {
        if let capturedAt {
            ledger.note(.suppliedTime)
            return capturedAt
        }
        let first = text("captured_at_ms", cells), second = text("captured_at", cells)
        if let time = first.flatMap(ImportCell.time) { return time }
        guard let text = second ?? first else {
            ledger.note(.unreadableTime)
            return nil
        }
        if let first, second != nil { ledger.note(.unreadableValue, "captured_at_ms \(first)") }
        if let time = ImportCell.time(text) {
            guard text.utf8.count == 10 else { return time }
            ledger.note(.secondsTime, text)
            return time * 1_000
        }
        if let time = clock.milliseconds(text, &ledger) { return time }
        ledger.note(.unreadableTime, text)
        return nil
    }

    private func sentAt(_ cells: CSVRow, _ ledger: inout ImportLedger) -> UnixMilliseconds? {
        guard let text = text(RecordingColumns.sentAt, cells) else { return nil }
        if let time = ImportCell.time(text) { return time }
        ledger.note(.unreadableValue, "\(RecordingColumns.sentAt) \(text)")
        return nil
    }

    private func readFields(_ cells: CSVRow, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        let kind = row.kind.recordKind
        for (name, place) in header.columns where !cells.isEmpty(place) && !Self.times.contains(name) {
            guard Self.knows(name), name != RecordingColumns.device, name != RecordingColumns.kind,
                name != RecordingColumns.sentAt
            else { continue }
            if let field = RecordingColumns.field(named: name, of: kind) {
                read(cells[place], field, into: &row, &ledger)
            } else if let field = kind.spellings.first(where: { $0.name == name }) {
                if row.values[field.column] == nil { read(cells[place], field, into: &row, &ledger) }
            } else {
                ledger.pass(over: cells, place, header.names[place])
            }
        }
    }

    private func read(_ text: String, _ field: Field, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        switch field.representation {
        case .identifier:
            let text = text.filter { $0 != " " }
            if RecordIdentifier(text: text) != nil {
                row.texts[field.column] = text
            } else {
                ledger.note(.unreadableValue, text)
            }
        case .text:
            row.texts[field.column] = field.column == ColumnID.comment ? SurveyText.comment(text, &ledger) : text
        default:
            if let value = ImportCell.value(text, field, &ledger) { row.values[field.column] = value }
        }
    }

    private func checkPosition(_ row: inout RecordingRow, _ ledger: inout ImportLedger) {
        let latitude = row.values[ColumnID.latitude], longitude = row.values[ColumnID.longitude]
        guard latitude != nil || longitude != nil,
            latitude == nil || longitude == nil || (latitude, longitude) == (0, 0)
        else { return }
        ledger.note(.noPosition, "")
        row.values[ColumnID.latitude] = nil
        row.values[ColumnID.longitude] = nil
    }
}
