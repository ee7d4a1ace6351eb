public import Lanes
internal import Models
internal import ServiceKit
public import Storage
public import SubjectRights

extension RewardDispatcherEffects {
    /// The effects, with erasure around them, with retention around all of it: what an engine is given.
    ///
    /// - Parameters:
    ///   - database: that of the effects and of the journal.
    ///   - journal: of the `rewards` lane, on which reports travel.
    public func retaining(
        _ around: any BlockEffects, in database: ServiceDatabase, journal: Journal
    ) throws -> RetainingEffects {
        let links = RewardLinkRetention(erasure)
        return RetainingEffects(
            around,
            try RetentionRounds(
                service: ServiceName.rewardDispatcher.rawValue, reportsOn: .rewards, database: database,
                journals: [journal], kinds: [links, LedgerRetention(links)]))
    }
}
