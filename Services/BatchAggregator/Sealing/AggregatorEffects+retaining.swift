public import Lanes
internal import Models
internal import ServiceKit
public import Storage
public import SubjectRights

extension AggregatorEffects {
    /// The effects, with access and erasure around them, with retention around all of it: what an engine is given.
    ///
    /// - Parameters:
    ///   - database: that of the effects and of the journal.
    ///   - journal: of the `rollups` lane, on which reports travel.
    public func retaining(
        _ around: any BlockEffects, in database: ServiceDatabase, journal: Journal
    ) throws -> RetainingEffects {
        sealer.onSealed = { journal.sweep() }
        return RetainingEffects(
            around,
            try RetentionRounds(
                service: ServiceName.batchAggregator.rawValue, reportsOn: .rollups, database: database,
                journals: [journal], kinds: [OpenRowRetention(open, sealer)]))
    }
}
