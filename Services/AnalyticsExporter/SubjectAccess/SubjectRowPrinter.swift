internal import ExporterRows
internal import ExporterSupport
internal import Models
internal import SubjectRights
internal import Wire

/// Prints raw rows for the subscriber they are about: every column that is stored, under the names of the device API, in
/// natural units, with the record's own identifier; the number by which services know the device is left out.
struct SubjectRowPrinter {
    /// The rows of a device in a block.
    func lines(of device: UInt64, in block: StoredBlock) -> [SubjectLine] {
        let identity = IdentityColumns(block.columns), received = block.columns[ColumnID.receivedAt]
        let columns = HeldKind.fields(of: block.kind).map { ($0, HeldKind.name(of: $0), block.columns[$0.column]) }
        return (0..<block.columns.rowCount).filter { identity.device($0) == Int64(bitPattern: device) }.map { row in
            var json: [UInt8] = Array("{\"lane\":\"\(block.lane.rawValue)\"".utf8)
            if let identifier = identity.identifier(row) { json += ",\"id\":\"\(identifier.text)\"".utf8 }
            for (field, name, column) in columns {
                guard let column, column.presence[row] else { continue }
                json += ",\"\(name)\":".utf8
                append(field, column, row, to: &json)
            }
            json.append(UInt8(ascii: "}"))
            return SubjectLine(block.kind.name, at: received?.integer(row), json: json)
        }
    }

    private func append(_ field: Field, _ column: Column, _ row: Int, to json: inout [UInt8]) {
        switch field.representation {
        case .identifier:
            let text = column.value(row).map { RecordIdentifier(bytes: $0).text } ?? ""
            JSONWriter.appendString(text.utf8, to: &json)
        case .text: JSONWriter.appendString(column.value(row) ?? [], to: &json)
        case .choice(let choices):
            let code = column.integers[row]
            JSONWriter.appendString((choices.name(of: code) ?? String(code)).utf8, to: &json)
        case .flag: json += (column.integers[row] != 0 ? "true" : "false").utf8
        case .number(let scale): DecimalText.append(column.integers[row], scale: scale, to: &json)
        case .digits, .instant: DecimalText.append(column.integers[row], to: &json)
        }
    }
}

extension HeldKind {
    /// What the exporter may hold about a subscriber: records of every kind that phones send.
    static func rawRows(_ programmes: Programmes) -> [HeldKind] { programmes.kinds.map(records) }

    /// Columns of a kind's lines, without those that have a member of their own.
    static func fields(of kind: RecordKind) -> [Field] {
        (kind.fields + kind.serverFields).filter { ![ColumnID.id, ColumnID.device].contains($0.column) }
    }

    /// A time is printed as Unix milliseconds under its name with `_ms`.
    static func name(of field: Field) -> String {
        guard case .instant = field.representation, !field.name.hasSuffix("_ms") else { return field.name }
        return field.name + "_ms"
    }

    private static func records(_ kind: ProgrammeKind) -> HeldKind {
        HeldKind(
            kind.kind.name, what: BilingualText(en: kind.held.english, fr: kind.held.french),
            why: BilingualText(en: kind.held.whyEnglish, fr: kind.held.whyFrench),
            kept: BilingualText(
                en: "as raw rows for the days of docs/retention.md (30 unless set otherwise)",
                fr: "comme lignes brutes pendant les jours de docs/retention.md (30 sauf réglage contraire)"),
            members: [
                HeldMember("lane", .string, "realtime: urgent; batch: everything else"),
                HeldMember("id", .string, "the record's UUID"),
            ] + fields(of: kind.kind).map { HeldMember($0, name: name(of: $0)) })
    }
}
