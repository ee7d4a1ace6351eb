internal import Models
internal import SubjectRights

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
