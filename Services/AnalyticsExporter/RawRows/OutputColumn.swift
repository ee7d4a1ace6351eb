internal import Models
internal import QoE

/// One column of downloaded raw rows: the same list, in the same order, for CSV headers and NDJSON members.
struct OutputColumn: Sendable {
    /// Where its text comes from.
    enum Source: Sendable {
        /// The place of the row, to go on after it.
        case cursor
        case kind
        case lane
        /// The pseudonym of the device.
        case device
        /// The record's identifier, or the one that follows from device and counter.
        case identifier
        /// A column of the block, printed as its field says.
        case field(Field)
    }

    let name: String
    let source: Source

    /// Every column. `seq` and the device's ordinal are never among them.
    static let all: [OutputColumn] =
        [
            OutputColumn(name: "cursor", source: .cursor), OutputColumn(name: "kind", source: .kind),
            OutputColumn(name: "lane", source: .lane), OutputColumn(name: "device", source: .device),
            OutputColumn(name: "id", source: .identifier),
        ] + fields.map { OutputColumn(name: name(of: $0), source: .field($0)) }

    /// Name of a field here: a point in time is printed as Unix milliseconds under its name with `_ms`.
    private static func name(of field: Field) -> String {
        guard case .instant = field.representation, !field.name.hasSuffix("_ms") else { return field.name }
        return field.name + "_ms"
    }

    private static let fields: [Field] = {
        let hidden = [ColumnID.id, ColumnID.seq, ColumnID.device]
        let reception = RecordKind.report.serverFields
        var seen = Set(hidden)
        let ordered =
            reception.filter { $0.column == ColumnID.receivedAt } + RecordKind.report.fields
            + RecordKind.feedback.fields + reception
        return ordered.filter { seen.insert($0.column).inserted }
    }()
}
