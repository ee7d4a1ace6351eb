public import Models

/// A row as JSON of the device API.
public enum ReplayRowText {
    /// Fields of a kind with their names as JSON has them.
    private typealias Columns = [(field: Field, name: [UInt8])]

    private static let columns: [UInt8: Columns] = Programmes.registered.kinds.reduce(into: [:]) { columns, kind in
        columns[kind.kind.id] = named(kind.kind)
    }

    private static func named(_ kind: RecordKind) -> Columns {
        kind.fields.map { ($0, Array("\"\(RecordingColumns.name(of: $0))\":".utf8)) }
    }

    /// Appends the row as an object. `id` and `seq` are given apart: which are sent, the phone decides.
    public static func append(
        _ row: RecordingRow, capturedAt: UnixMilliseconds, seq: Int64?, withID: Bool, to bytes: inout [UInt8]
    ) {
        var separator = UInt8(ascii: "{")
        for (field, name) in columns[row.kind.recordKind.id] ?? named(row.kind.recordKind) {
            guard let text = text(field, row, capturedAt, seq, withID) else { continue }
            bytes.append(separator)
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: text.utf8)
            separator = UInt8(ascii: ",")
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func text(
        _ field: Field, _ row: RecordingRow, _ capturedAt: UnixMilliseconds, _ seq: Int64?, _ withID: Bool
    ) -> String? {
        switch field.column {
        case ColumnID.id where !withID: return nil
        case ColumnID.seq: return seq.map { "\($0)" }
        case ColumnID.capturedAt: return "\(capturedAt)"
        default: break
        }
        if let text = row.texts[field.column] { return quoted(text) }
        guard let value = row.values[field.column] else { return nil }
        if case .choice = field.representation { return quoted(field.text(value)) }
        return field.text(value)
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case _ where scalar.value < 32:
                out += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
