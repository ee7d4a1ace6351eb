public import Lanes
internal import Models
internal import ServiceKit
public import SubjectRights

/// What the notifier declares of the rights of subjects: it holds nothing of subscribers. What it reads of alarms counts
/// devices and names none, and channels are those of operators.
extension NotifierEffects: SubjectRecords {
    /// Every table of `notifier/state.sqlite`.
    static let tables: [HeldTable] = [
        .free("channels", "where operators are told; secrets are sealed"), .free("tenants", "operators"),
        .free("alarm_care", "what people of operators do, in their trade"), .free("open_alarms", "counts, no device"),
        .free("told_alarms", "names of alarms"),
        .free("deliveries", "alarms: counts, no device"), .free("channel_keys", "the key that was published last"),
    ]

    /// The router, whose lane it reads, signs before.
    public func subjects() -> SubjectDeclaration {
        SubjectDeclaration(
            service: ServiceName.notifier.rawValue, on: .deliveries, reads: Self.subscriptions.map(\.lane),
            waitsFor: [ServiceName.alertRouter.rawValue], records: self)
    }

    public func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        ErasureSlice(isDone: true)
    }
}
