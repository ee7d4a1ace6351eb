public import Lanes
internal import Models
internal import ServiceKit
public import SubjectRights

/// What the aggregator declares of the rights of subjects.
extension AggregatorEffects {
    /// - Parameter rollups: the journal of the lane.
    public func subjects(rollups: Journal) -> SubjectDeclaration { subjects(rollups: rollups, bounds: ErasureBounds()) }

    func subjects(rollups: Journal, bounds: ErasureBounds) -> SubjectDeclaration {
        sealer.onSealed = { rollups.sweep() }
        return SubjectDeclaration(
            service: ServiceName.batchAggregator.rawValue, on: .rollups, reads: Self.subscriptions.map(\.lane),
            records: StatisticsErasure(self, rollups: rollups, bounds: bounds), copy: OpenRowCopy(open),
            retained: [OpenRowRetention(open, sealer)], retiresKeys: true)
    }
}
