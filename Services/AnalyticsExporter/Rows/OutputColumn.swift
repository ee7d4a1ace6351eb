internal import Models

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
        /// The field of that name, if the kind of the block has it, printed as it says.
        case field(name: String)
    }

    let name: String
    let source: Source

    /// Every column of downloads of some kinds: what is said of reception, then fields kind by kind.
    static func all(_ kinds: [ProgrammeKind]) -> [OutputColumn] {
        [
            OutputColumn(name: "cursor", source: .cursor), OutputColumn(name: "kind", source: .kind),
            OutputColumn(name: "lane", source: .lane), OutputColumn(name: "device", source: .device),
            OutputColumn(name: "id", source: .identifier),
        ] + fields(kinds).map { OutputColumn(name: name(of: $0), source: .field(name: $0.name)) }
    }

    /// Name of a field here: a point in time is printed as Unix milliseconds under its name with `_ms`.
    private static func name(of field: Field) -> String {
        guard case .instant = field.representation, !field.name.hasSuffix("_ms") else { return field.name }
        return field.name + "_ms"
    }

    /// Names stand for columns: those from 128 on mean something else in each kind.
    private static func fields(_ kinds: [ProgrammeKind]) -> [Field] {
        let hidden = [ColumnID.id, ColumnID.seq, ColumnID.device]
        let reception = kinds.first?.kind.serverFields ?? []
        var seen: Set<String> = []
        let ordered =
            reception.filter { $0.column == ColumnID.receivedAt } + kinds.flatMap(\.kind.fields) + reception
        return ordered.filter { !hidden.contains($0.column) && seen.insert($0.name).inserted }
    }
}
