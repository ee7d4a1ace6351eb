internal import Models
internal import QoE
internal import SubjectRights

extension HeldKind {
    /// What the exporter may hold about a subscriber.
    static let rawRows = [
        records(
            .report, en: "measurements that this device sent", fr: "mesures envoyées par cet appareil",
            why: BilingualText(
                en: "operators and the regulator see how networks do; an operator sees rows of its own network only, "
                    + "under a name that changes every day, and none without consent to operator_sharing",
                fr:
                    "les opérateurs et le régulateur voient l'état des réseaux ; un opérateur ne voit que les lignes de son "
                    + "réseau, sous un nom qui change chaque jour, et aucune sans l'accord operator_sharing")),
        records(
            .feedback, en: "ratings and comments that this device sent",
            fr: "notes et commentaires envoyés par cet appareil",
            why: BilingualText(
                en: "how networks feel to subscribers; seen by the same people as measurements",
                fr: "le ressenti des abonnés ; vu par les mêmes que les mesures")),
        records(
            .prompt, en: "what became of questions that this device showed",
            fr: "le sort des questions affichées par cet appareil",
            why: BilingualText(
                en: "asking less often where questions are ignored; operators see counts only",
                fr: "demander moins souvent là où les questions sont ignorées ; les opérateurs ne voient que des totaux"
            )),
    ]

    /// Columns of a kind's lines, without those that have a member of their own.
    static func fields(of kind: RecordKind) -> [Field] {
        (kind.fields + kind.serverFields).filter { ![ColumnID.id, ColumnID.device].contains($0.column) }
    }

    /// A time is printed as Unix milliseconds under its name with `_ms`.
    static func name(of field: Field) -> String {
        guard case .instant = field.representation, !field.name.hasSuffix("_ms") else { return field.name }
        return field.name + "_ms"
    }

    private static func records(_ kind: RecordKind, en: String, fr: String, why: BilingualText) -> HeldKind {
        HeldKind(
            kind.name, what: BilingualText(en: en, fr: fr), why: why,
            kept: BilingualText(
                en: "as raw rows for the days of docs/retention.md (30 unless set otherwise)",
                fr: "comme lignes brutes pendant les jours de docs/retention.md (30 sauf réglage contraire)"),
            members: [
                HeldMember("lane", .string, "realtime: urgent; batch: everything else"),
                HeldMember("id", .string, "the record's UUID"),
            ] + fields(of: kind).map { HeldMember($0, name: name(of: $0)) })
    }
}
