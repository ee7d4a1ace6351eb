internal import Lanes
internal import Models
internal import ServiceKit
internal import SubjectRights

/// What the privacy worker declares of the rights of subjects: it waits for everybody else.
extension PrivacyWorkerEffects {
    static func subjects(_ keys: AuditKeys) -> SubjectDeclaration {
        SubjectDeclaration(
            service: ServiceName.privacyWorker.rawValue, on: .privacy, reads: subscriptions.map(\.lane),
            waitsFor: ErasureDesk.signers, records: ConsentRecords(), copy: LedgerCopy(keys),
            retained: [SupersededConsents()])
    }
}
