public import Lanes
internal import Models
internal import ServiceKit
public import Storage
public import SubjectRights

extension AlertRouterEffects {
    /// The effects, with erasure around them, with retention around all of it: what an engine is given.
    ///
    /// - Parameters:
    ///   - database: that of the effects and of the journal.
    ///   - journal: of the `alerts` lane, on which reports travel.
    public func retaining(
        _ around: any BlockEffects, in database: ServiceDatabase, journal: Journal
    ) throws -> RetainingEffects {
        // Who counted in an alarm goes before the alarm.
        RetainingEffects(
            around,
            try RetentionRounds(
                service: ServiceName.alertRouter.rawValue, reportsOn: .alerts, database: database, journals: [journal],
                kinds: [ContributionRetention(), AlarmRetention()]))
    }
}
