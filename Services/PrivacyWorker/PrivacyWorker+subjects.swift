internal import Lanes
internal import Models
internal import ServiceKit
internal import SubjectRights

/// What the privacy worker declares of the rights of subjects: it waits for everybody else.
extension PrivacyWorkerEffects {
    /// Every table of `privacy-worker/state.sqlite`.
    static let tables: [HeldTable] = [
        // The ledger is append-only for everybody but the device whose number stands in `consents_erased` meanwhile.
        .personal(
            "consents",
            PersonalRows(
                of: "device",
                erased: .deleted(PersonalRows.Deletion(unlockedBy: "consents_erased", atOnce: 1_000)),
                copied: .lines(["consent"]), kept: .retained(.consents))),
        .free("consents_erased", "a lock"), .free("consents_superseded", "a lock"),
        .personal(
            "audit_entries",
            PersonalRows(
                of: nil, erased: .by("nobody: a chain that names devices by a keyed hash only"),
                copied: .lines(["audit_entry"]), kept: .asLongAs("the log: for ever"))),
        .free("audit_head", "where the log ends"),
        .free("untold_restores", "when the home was restored", mayBeAbsent: true),
        .personal(
            "access_requests",
            PersonalRows(
                of: "device", erased: .by("AccessCoordinator: closed as soon as an erasure is asked for"),
                copied: .none("ingest shows requests for access"),
                kept: .asLongAs("30 days; the device while it is open"))),
        .free("access_parts", "how many parts services gave, by random names"),
        .free("erasure_orders", "requests, by random names and keyed hashes"),
        .free("verification_keys", "public keys of services"), .free("retention_orders", "what is kept for how long"),
        .free("retention_reports", "how much was retired"), .free("retention_begin", "when retention began"),
    ]

    static func subjects(_ keys: AuditKeys, hasNotifier: Bool) -> SubjectDeclaration {
        SubjectDeclaration(
            service: ServiceName.privacyWorker.rawValue, on: .privacy,
            reads: subscriptions(hasNotifier: hasNotifier).map(\.lane),
            waitsFor: ErasureCoordinator.signers(hasNotifier: hasNotifier), records: DeclaredRecords(tables),
            copy: LedgerCopy(keys),
            retained: [SupersededConsents()])
    }
}
