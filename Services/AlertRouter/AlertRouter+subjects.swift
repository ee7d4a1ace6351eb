internal import GRDB
public import Lanes
internal import Models
internal import ServiceKit
public import SubjectRights

/// What the router declares of the rights of subjects: which devices counted in which alarms is forgotten, how many stays.
extension AlertRouterEffects: SubjectRecords {
    public var subjects: SubjectDeclaration {
        SubjectDeclaration(
            service: ServiceName.alertRouter.rawValue, on: .alerts, reads: Self.subscriptions.map(\.lane),
            records: self, copy: ContributionCopy(),
            // Who counted in an alarm goes before the alarm.
            retained: [ContributionRetention(), AlarmRetention()], retiresKeys: true)
    }

    public func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        try erasure.next(subjects, transaction.db)
    }
}
