import Foundation
import Models
import OpenFormats

/// Reads one field recording of any known kind.
enum ImportFile {
    /// Kinds of files that begin with a header, those first that ask most of it.
    private static var formats: [any ImportFormat.Type] {
        [GNetTrackLog.self, TowerCollectorExport.self, WiGLEExport.self, SurveyAnswers.self, OwnCSV.self]
    }

    /// The rows of a file in its order; the ledger says what was done to them.
    ///
    /// - Throws: ``RecordingError`` if the file cannot be read or is of no known kind.
    static func read(_ path: String, _ settings: ImportSettings, _ ledger: inout ImportLedger) throws -> [ImportedRow] {
        var text = try ImportText(path: path)
        let (kind, header, hasNoHeader) = try format(text, settings.columns)
        try header.refuseDuplicates(path, line: text.row.line) { kind.uses($0) }
        var format = try kind.init(header: header, device: deviceName(path), settings: settings, path: path)
        ledger.beginFile((path as NSString).lastPathComponent, format: kind.name, notes: text.notes)
        let unused = header.columns.filter { !kind.uses($0.name) }
        var rows: [ImportedRow] = [], pending = hasNoHeader
        while try pending || text.next() {
            pending = false
            ledger.beginRow(line: text.row.line)
            if var read = row(text.row, header, &format, &ledger) {
                ImportPlausibility.check(&read.row, &ledger)
                read.isMended = ledger.isRowMended
                if !ledger.isRowLeft { rows.append(read) }
            }
            for column in unused { ledger.pass(over: text.row, column.place, header.names[column.place]) }
            ledger.endRow()
        }
        format.finish(&rows, &ledger)
        return rows
    }

    /// What a file is, and its header; whether it has none, so that the row that was read is one of its rows.
    private static func format(_ text: ImportText, _ columns: ColumnMapping) throws -> (
        any ImportFormat.Type, ImportHeader, hasNoHeader: Bool
    ) {
        let cells = text.row.texts
        if NetMonsterList.begins(with: cells) { return (NetMonsterList.self, NetMonsterList.header, true) }
        try columns.check(cells, text.path)
        let header = ImportHeader(cells, renamed: columns.renamed)
        guard let kind = formats.first(where: { $0.matches(header) }) ?? OwnCSV.withoutTimes(header) else {
            throw RecordingError(
                text.path, line: text.row.line,
                "not a recording that import knows (\(text.dialect)): \(cells.prefix(6).joined(separator: " | ")). It knows"
                    + " \(formats.map { $0.name }.joined(separator: ", ")), \(NetMonsterList.name), and others by --columns"
                    + " …=captured_at, …=latitude that say which column is which")
        }
        return (kind, header, false)
    }

    /// Rows may end with separators that the header does not have.
    private static func row(
        _ row: CSVRow, _ header: ImportHeader, _ format: inout any ImportFormat, _ ledger: inout ImportLedger
    ) -> ImportedRow? {
        let width = header.names.count
        guard row.count >= type(of: format).fewestCells(header), (width..<max(width, row.count)).allSatisfy(row.isEmpty)
        else {
            ledger.note(.wrongWidth, "\(row.count) cells, header has \(width)")
            return nil
        }
        if !row.isUTF8 { ledger.note(.otherEncoding) }
        return format.read(row, &ledger)
    }

    /// The file's name without the endings of its kind.
    static func deviceName(_ path: String) -> String {
        var name = (path as NSString).lastPathComponent
        for ending in [".gz", ".csv", ".txt", ".ntm", ".nkul"] where name.lowercased().hasSuffix(ending) {
            name = String(name.dropLast(ending.count))
        }
        return name
    }
}
