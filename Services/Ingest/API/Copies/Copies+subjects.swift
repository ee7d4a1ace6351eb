internal import Lanes
internal import Models
public import SubjectRights

/// What ingest's copies declare of the rights of subjects. An erasure is done here when the router's and the dispatcher's
/// receipts have come, and signed by the thread that writes the other file, which reports retention, too.
///
/// Alarms and grants follow their lanes; who helped to raise an alarm goes by its own time, too.
extension CopiesEffects {
    /// Every table of `ingest/copies.sqlite`.
    static let tables: [HeldTable] = [
        .personal(
            "subscribers",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .none("the dispatcher gives what it is made of"),
                kept: .asLongAs("the dispatcher's balance"))),
        // Records of grants are identifiers.
        .personal(
            "grants",
            PersonalRows(
                of: "device",
                erased: .deleted(
                    PersonalRows.Deletion(
                        overwriting: "record = replace(hex(zeroblob(length(record))), '00', '0')", rewrites: true)),
                copied: .none("the dispatcher gives them"), kept: .asLongAs("the dispatcher's grant"))),
        .personal(
            "contributions",
            PersonalRows(
                of: "device",
                scope: PersonalRows.Scope(time: "first_at", placeOfAlarm: "alarm", key: ["first_at", "name"]),
                erased: .deleted(), copied: .none("the router gives them"),
                kept: .until(.contributions, time: "first_at", bytes: "60 + 2 * length(alarm)"))),
        .personal(
            "progress",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .none("the dispatcher gives what it is made of"),
                kept: .asLongAs("the dispatcher's"))),
        .personal(
            "standing_places",
            PersonalRows(
                of: "device",
                erased: .deleted(
                    PersonalRows.Deletion(
                        overwriting: "nickname = replace(hex(zeroblob(length(nickname))), '00', '0')", rewrites: true)),
                copied: .none("follows from what the dispatcher gives"), kept: .asLongAs("the dispatcher's name"))),
        .personal(
            "standing_names",
            PersonalRows(
                of: "device",
                erased: .deleted(
                    PersonalRows.Deletion(
                        overwriting: "nickname = replace(hex(zeroblob(length(nickname))), '00', '0')")),
                copied: .none("the dispatcher gives it"), kept: .asLongAs("the dispatcher's name"))),
        .personal(
            "access_parts",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .none("they are a copy, sealed"),
                kept: .asLongAs("the request for a copy"))),
        .free("alarms", "what operators are told: counts, no device"), .free("documents", "rules, policies, keys"),
        .free("lanes_read", "how far lanes are read"),
        .free("medians", "what was released: statistics that protect people"),
        .free("median_drafts", "what was released: statistics that protect people"),
    ]

    public var subjects: SubjectDeclaration {
        SubjectDeclaration(
            service: "ingest-copies", on: nil, reads: Self.subscriptions.map(\.lane),
            waitsFor: ["alert-router", "reward-dispatcher"], records: DeclaredRecords(Self.tables),
            retained: Self.tables.retained)
    }
}
