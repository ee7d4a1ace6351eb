internal import ExporterSupport
internal import Models
internal import Wire

/// Prints raw rows as NDJSON or CSV, values in natural units, exactly as they are stored.
///
/// In NDJSON an absent value is left out; in CSV it is empty, and a text that a spreadsheet would take for a formula is
/// made harmless (``CSVText``).
package struct RowPrinter {
    /// Formats of a download.
    package enum Format: Sendable {
        case ndjson, csv

        package var mediaType: String { self == .ndjson ? "application/x-ndjson" : "text/csv; charset=utf-8" }
    }

    let format: Format
    let layout: RawRowLayout
    var pseudonyms: Pseudonyms

    package init(format: Format, layout: RawRowLayout, pseudonyms: Pseudonyms) {
        self.format = format
        self.layout = layout
        self.pseudonyms = pseudonyms
    }

    /// The line of names that a CSV begins with; nothing for NDJSON.
    var header: [UInt8] { format == .csv ? layout.header : [] }

    /// Appends a line for each of the rows.
    package mutating func print(_ block: StoredBlock, rows: [Int], to out: inout [UInt8]) {
        let columns = layout.columns.map { output in (output, printed(output, in: block)) }
        let identity = IdentityColumns(block.columns)
        for row in rows {
            if format == .ndjson { out.append(UInt8(ascii: "{")) }
            var isFirst = true
            for (output, printed) in columns {
                if format == .csv {
                    if !isFirst { out.append(UInt8(ascii: ",")) }
                    isFirst = false
                    append(output, printed, identity, block, row, &out)
                } else if hasValue(output, printed, identity, row) {
                    if !isFirst { out.append(UInt8(ascii: ",")) }
                    isFirst = false
                    out.append(UInt8(ascii: "\""))
                    out.append(contentsOf: output.name.utf8)
                    out.append(contentsOf: "\":".utf8)
                    append(output, printed, identity, block, row, &out)
                }
            }
            out.append(contentsOf: (format == .ndjson ? "}\n" : "\r\n").utf8)
        }
    }

    /// A column of a block and the field that says how it is printed.
    private struct Printed {
        let field: Field
        let column: Column
    }

    /// Nil for what is no column of the block's kind, and for a column that the block does not have.
    private func printed(_ output: OutputColumn, in block: StoredBlock) -> Printed? {
        guard case .field(let name) = output.source,
            let field = layout.field(named: name, of: block.kind),
            let column = block.columns[field.column]
        else { return nil }
        return Printed(field: field, column: column)
    }

    private func hasValue(_ output: OutputColumn, _ printed: Printed?, _ identity: IdentityColumns, _ row: Int) -> Bool
    {
        switch output.source {
        case .field: printed?.column.presence[row] ?? false
        case .device: identity.device(row) != nil
        case .identifier: identity.identifier(row) != nil
        default: true
        }
    }

    private mutating func append(
        _ output: OutputColumn, _ printed: Printed?, _ identity: IdentityColumns, _ block: StoredBlock, _ row: Int,
        _ out: inout [UInt8]
    ) {
        switch output.source {
        case .cursor: appendText(cursor(block, row), &out)
        case .kind: appendText(block.kind.name.utf8, &out)
        case .lane: appendText(block.lane.rawValue.utf8, &out)
        case .device:
            if let device = identity.device(row) { appendText(pseudonyms.text(of: device, day: block.day), &out) }
        case .identifier:
            if let identifier = identity.identifier(row) {
                appendText(pseudonyms.identifier(identifier, day: block.day).text.utf8, &out)
            }
        case .field:
            if let printed, printed.column.presence[row] {
                appendValue(printed.field, printed.column, block, row, &out)
            }
        }
    }

    private func cursor(_ block: StoredBlock, _ row: Int) -> [UInt8] {
        var text: [UInt8] = []
        DecimalText.append(block.sequence, to: &text)
        text.append(UInt8(ascii: "-"))
        DecimalText.append(Int64(block.number(of: row)), to: &text)
        return text
    }

    private func appendValue(
        _ field: Field, _ column: Column, _ block: StoredBlock, _ row: Int, _ out: inout [UInt8]
    ) {
        switch field.representation {
        case .identifier:
            if let bytes = column.value(row) {
                let identifier = pseudonyms.identifier(RecordIdentifier(bytes: bytes), day: block.day)
                appendText(identifier.text.utf8, &out)
            }
        case .text:
            if let bytes = column.value(row) { appendForeign(bytes, &out) }
        case .choice(let choices):
            let code = column.integers[row]
            appendText((choices.name(of: code) ?? String(code)).utf8, &out)
        case .flag:
            out.append(contentsOf: (column.integers[row] != 0 ? "true" : "false").utf8)
        case .number(let scale):
            DecimalText.append(column.integers[row], scale: scale, to: &out)
        case .digits, .instant:
            DecimalText.append(column.integers[row], to: &out)
        }
    }

    /// What a phone sent as text.
    private func appendForeign(_ text: some Collection<UInt8>, _ out: inout [UInt8]) {
        if format == .ndjson { JSONWriter.appendString(text, to: &out) } else { CSVText.appendForeign(text, to: &out) }
    }

    private func appendText(_ text: some Collection<UInt8>, _ out: inout [UInt8]) {
        if format == .ndjson { JSONWriter.appendString(text, to: &out) } else { CSVText.append(text, to: &out) }
    }
}
