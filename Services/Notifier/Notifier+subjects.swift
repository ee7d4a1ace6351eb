internal import Lanes
internal import Models
internal import ServiceKit
public import SubjectRights

/// What the notifier declares of the rights of subjects: it holds where browsers of subscribers are asked, sealed, and questions that
/// wait. What it reads of alarms counts devices and names none, and channels are those of operators.
extension NotifierEffects {
    /// Every table of `notifier/state.sqlite`.
    static let tables: [HeldTable] = [
        .free("channels", "where operators are told; secrets are sealed"), .free("tenants", "operators"),
        .free("alarm_care", "what people of operators do, in their trade"), .free("open_alarms", "counts, no device"),
        .free("told_alarms", "names of alarms"),
        .free("deliveries", "alarms: counts, no device"), .free("channel_keys", "the key that was published last"),
        .personal(
            "push_subscriptions",
            PersonalRows(
                of: "device",
                erased: .deleted(
                    PersonalRows.Deletion(
                        overwriting: "sealed = replace(hex(zeroblob(length(sealed))), '00', '0')", rewrites: true)),
                copied: .none("the browser has it; ingest gives that there is one"),
                kept: .asLongAs("the person has it on"))),
        .personal(
            "push_questions",
            PersonalRows(
                of: "device",
                erased: .deleted(
                    PersonalRows.Deletion(overwriting: "document = zeroblob(length(document))", rewrites: true)),
                copied: .none("ingest gives what was asked"), kept: .asLongAs("ten minutes"))),
    ]

    /// The router, whose lane it reads, signs before.
    public func subjects() -> SubjectDeclaration {
        SubjectDeclaration(
            service: ServiceName.notifier.rawValue, on: .deliveries, reads: Self.subscriptions.map(\.lane),
            waitsFor: [ServiceName.alertRouter.rawValue], records: DeclaredRecords(Self.tables))
    }
}
