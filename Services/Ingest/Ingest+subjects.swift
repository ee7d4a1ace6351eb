internal import Lanes
internal import Models
internal import ServiceKit
internal import SubjectRights

/// What ingest declares of the rights of subjects, beside its copies, for which it waits. What it holds it gives with the answer
/// (``DeviceCopy``).
extension IngestEngine {
    /// - Parameter journals: whose blocks' age is reported.
    static func subjects(_ records: IngestRecords, _ journals: [Journal]) -> SubjectDeclaration {
        SubjectDeclaration(
            service: ServiceName.ingest.rawValue, on: .requests, reads: [], waitsFor: [copies], records: records,
            retained: [
                RetainedRows(.receipts, table: "receipts", time: "given_at", bytes: "length(body)"),
                RetainedRows(.failedAuthentications, table: "failed_authentications", time: "minute", unit: 60_000),
                JournalAges(journals),
            ])
    }
}
