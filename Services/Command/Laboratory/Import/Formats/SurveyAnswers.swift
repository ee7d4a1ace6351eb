import Models
import OpenFormats
import QoE

/// Answers of subscribers with the measurement of the same moment (columns of the Cameroon QoE survey of 2025).
struct SurveyAnswers: ImportFormat {
    static let name = "QoE survey"
    private static let measurements: [(String, UInt8)] = [
        ("latency_ms", ColumnID.latency), ("dl_kbps", ColumnID.download), ("ul_kbps", ColumnID.upload),
        ("jitter_ms", ColumnID.jitter), ("loss_pct", ColumnID.loss),
    ]

    private static let used = Set(
        measurements.map(\.0) + ["qoe_score", "timestamp_utc_ms", "timestamp_local", "suggestions", "network_type"])

    private let header: ImportHeader
    private let device: String
    private var clock: LocalTime
    private var last = UnixMilliseconds.min
    private var count = 0

    static func matches(_ header: ImportHeader) -> Bool {
        header["qoe_score"] != nil && header.place(ofFirst: ["timestamp_utc_ms", "timestamp_local"]) != nil
    }

    static func uses(_ column: String) -> Bool { used.contains(column) }

    init(header: ImportHeader, device: String, settings: ImportSettings, path: String) {
        self.header = header
        self.device = device
        clock = LocalTime(zone: settings.zone, isOrdered: false)
    }

    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow? {
        count += 1
        guard let time = time(cells, &ledger) else { return nil }
        if time < last { ledger.note(.outOfOrder, "\(time)") }
        last = max(last, time)
        var row = RecordingRow(device: "\(device)-\(count)", kind: .feedback)
        row.capturedAt = time
        readAnswers(cells, into: &row, &ledger)
        for (name, column) in Self.measurements { row.values[column] = value(name, column, cells, &ledger) }
        return ImportedRow(row: row, line: cells.line)
    }

    private func readAnswers(_ cells: CSVRow, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        if let score = value("qoe_score", ColumnID.rating, cells, &ledger) {
            row.values[ColumnID.rating] = score
            row.texts[ColumnID.comment] = SurveyText.comment(text("suggestions", cells), &ledger)
        } else {
            row.kind = .report
            ledger.note(.scoreMissing, text("qoe_score", cells))
        }
        row.values[ColumnID.networkType] = networkType(text("network_type", cells), &ledger).rawValue
    }

    private mutating func time(_ cells: CSVRow, _ ledger: inout ImportLedger) -> UnixMilliseconds? {
        let universal = text("timestamp_utc_ms", cells), local = text("timestamp_local", cells)
        if let time = ImportCell.time(universal) { return time }
        if !universal.isEmpty { ledger.note(.unreadableValue, "timestamp_utc_ms \(universal)") }
        if let time = clock.milliseconds(local, &ledger) { return time }
        ledger.note(.unreadableTime, local)
        return nil
    }

    /// `4G LTE` and the like: the first word that names a network.
    private func networkType(_ text: String, _ ledger: inout ImportLedger) -> NetworkType {
        let codes = text.split(separator: " ").reversed().compactMap { Choices.networkType.code(of: String($0)) }
        if let type = codes.first.flatMap(NetworkType.init(rawValue:)) { return type }
        ledger.note(.unknownNetwork, text)
        return .unknown
    }

    private func value(_ name: String, _ column: UInt8, _ cells: CSVRow, _ ledger: inout ImportLedger) -> Int64? {
        guard let field = RecordKind.feedback.field(column), header[name] != nil else { return nil }
        return ImportCell.value(text(name, cells), field, &ledger)
    }

    private func text(_ name: String, _ cells: CSVRow) -> String { header[name].map { cells[$0] } ?? "" }
}

/// What a subscriber wrote, as a comment of the device API: at most 50 characters as a person counts them.
enum SurveyText {
    static let limit = 50

    /// The text without control characters and outer spaces; cut after the last whole item (`;` between them) that fits.
    static func comment(_ text: String, _ ledger: inout ImportLedger) -> String? {
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        if scalars.count != text.unicodeScalars.count { ledger.note(.controlCharacter, "in a comment") }
        let words = String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
        if words != String(String.UnicodeScalarView(scalars)) { ledger.note(.untrimmed, text) }
        guard !words.isEmpty else { return nil }
        guard words.count > limit else { return words }
        ledger.note(.longText, text)
        return cut(words)
    }

    private static func cut(_ words: String) -> String {
        var kept = ""
        for item in words.split(separator: ";") {
            let longer = kept.isEmpty ? String(item) : "\(kept);\(item)"
            guard longer.count <= limit else { break }
            kept = longer
        }
        return kept.isEmpty ? String(words.prefix(limit)) : kept
    }
}
