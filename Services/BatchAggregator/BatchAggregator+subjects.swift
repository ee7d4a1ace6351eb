internal import AggregatorCells
internal import AggregatorSealing
public import Lanes
internal import Models
internal import ServiceKit
public import SubjectRights

/// What the aggregator declares of the rights of subjects.
extension AggregatorEffects {
    /// Every table of `batch-aggregator/state.sqlite`.
    static let tables: [HeldTable] = [
        .personal(
            "cells",
            PersonalRows(
                of: nil, erased: .by("StatisticsErasure: rows and devices are subtracted"),
                copied: .none("sums of rows that are given"),
                kept: .asLongAs("its bucket is open; then without devices"))),
        .personal(
            "erasing_rows",
            PersonalRows(
                of: nil, erased: .by("StatisticsErasure: until they are out of the cells"),
                copied: .none("only while an erasure is at work"), kept: .asLongAs("the erasure is at work"))),
        .free("erasing_cells", "cells that an erasure changed"), .free("blocks", "how far lanes are folded"),
        .free("waiting_days", "days"), .free("folding_days", "days"), .free("slices", "days", mayBeAbsent: true),
        .free("uncounted_cells", "cells that an erasure changed"), .free("sealing", "how far buckets are sealed"),
        .free("releases_made", "networks and times"), .free("release_rounds", "times"),
        .free("releasing", "the hash of a secret, a day"),
        .free("older_rollups", "how far older blocks of the lane are rewritten", mayBeAbsent: true),
    ]

    /// Every table of a day file of open rows, `batch-aggregator/open/<day>.sqlite`.
    static let dayTables: [HeldTable] = ["open_rows", "open_subjects"].map { table in
        .personal(
            table,
            PersonalRows(
                of: nil, erased: .by("StatisticsErasure: blocks are rewritten"), copied: .lines(["statistics_row"]),
                kept: .retained(.openRows)))
    }

    /// - Parameter rollups: the journal of the lane.
    public func subjects(rollups: Journal) -> SubjectDeclaration { subjects(rollups: rollups, bounds: ErasureBounds()) }

    func subjects(rollups: Journal, bounds: ErasureBounds) -> SubjectDeclaration {
        sealer.onSealed = { rollups.sweep() }
        return SubjectDeclaration(
            service: ServiceName.batchAggregator.rawValue, on: .rollups,
            reads: Self.subscriptions(rules.programmes).map(\.lane),
            records: StatisticsErasure(self, rollups: rollups, bounds: bounds), copy: OpenRowCopy(open, rules),
            retained: [OpenRowRetention(open, sealer)], retiresKeys: true)
    }
}
