internal import Engagement
internal import Foundation
internal import GRDB
internal import Lanes
internal import Models

/// What one transaction changes in what devices have reached.
///
/// A record counts if it was accepted with the consent to rewards and its position is not made up, whether a campaign pays for it
/// or not; under the local day on which it was captured, however late it comes.
struct EngagementChanges {
    private let rules: EngagementRules
    private let measures: Set<String>
    private let zone: TimeZone
    private let db: Database
    private let store = EngagementStore()
    private var changed: Set<UInt64> = []

    init(_ rules: EngagementRules, zone: TimeZone, _ db: Database) {
        self.rules = rules
        measures = Set(rules.measures)
        self.zone = zone
        self.db = db
    }

    /// - Returns: whether it counts, and did not before.
    mutating func take(_ record: RewardedRecord) throws -> Bool {
        guard !record.isMocked, !record.flags.contains(.notForRewards), measures.contains(record.kind) else {
            return false
        }
        let fact = EngagementFact(
            record.kind, record.record, day: CivilDay.number(of: record.capturedAt, in: zone))
        guard try store.add(fact, of: record.device, db) else { return false }
        changed.insert(record.device)
        return true
    }

    /// Tells what changed, in the order of devices; false if nothing did.
    func finish(_ emit: inout Emission) throws -> Bool {
        guard !changed.isEmpty else { return false }
        var rows = RewardRows()
        for device in changed.sorted() {
            try rows.append(String(device), device, rules.progress(of: device, store.tallies(of: device, db)))
        }
        try emit.append(to: .rewards, kind: .progress, columns: rows.columns)
        return true
    }
}
