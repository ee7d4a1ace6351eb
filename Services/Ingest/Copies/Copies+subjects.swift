internal import Lanes
internal import Models
public import SubjectRights

/// What ingest's copies declare of the rights of subjects. An erasure is done here when the router's and the dispatcher's
/// receipts have come, and signed by the thread that writes the other file, which reports retention, too.
///
/// Alarms and grants follow their lanes; who helped to raise an alarm goes by its own time, too.
extension CopiesEffects {
    public var subjects: SubjectDeclaration {
        SubjectDeclaration(
            service: "ingest-copies", on: nil, reads: Self.subscriptions.map(\.lane),
            waitsFor: ["alert-router", "reward-dispatcher"], records: CopiesRecords(),
            retained: [
                RetainedRows(.contributions, table: "contributions", time: "first_at", bytes: "60 + 2 * length(alarm)")
            ])
    }
}
