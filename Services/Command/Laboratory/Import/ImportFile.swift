import Foundation
import Models

/// Reads one field recording of any known kind.
enum ImportFile {
    private static var formats: [any ImportFormat.Type] { [GNetTrackLog.self, SurveyAnswers.self, OwnCSV.self] }

    /// The rows of a file in its order; the ledger says what was done to them.
    ///
    /// - Throws: ``RecordingError`` if the file cannot be read or is of no known kind.
    static func read(_ path: String, zone: TimeZone, _ ledger: inout ImportLedger) throws -> [ImportedRow] {
        var csv = CSVReader(try InputFile(path: path)), row = CSVRow()
        _ = try csv.readComment()
        guard try csv.read(&row) else { throw RecordingError(path, "an empty file") }
        let header = row.texts.map { $0.trimmingCharacters(in: .whitespaces) }
        guard let kind = formats.first(where: { $0.matches(header) }) else {
            throw RecordingError(
                path, line: row.line,
                "not a recording that import knows (G-NetTrack log, QoE survey, CSV with captured_at): "
                    + header.prefix(6).joined(separator: ","))
        }
        var format = kind.init(header: header, device: deviceName(path), zone: zone)
        ledger.beginFile((path as NSString).lastPathComponent, format: kind.name)
        var rows: [ImportedRow] = []
        while try csv.read(&row) {
            ledger.beginRow(line: row.line)
            if let read = format.read(row, &ledger) { rows.append(read) }
            ledger.endRow()
        }
        format.finish(&rows, &ledger)
        return rows
    }

    /// The file's name up to its first extension that is one of a file's kind.
    static func deviceName(_ path: String) -> String {
        var name = (path as NSString).lastPathComponent
        for ending in [".gz", ".csv", ".nkul"] where name.hasSuffix(ending) {
            name = String(name.dropLast(ending.count))
        }
        return name
    }
}
