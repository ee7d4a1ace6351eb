public import Lanes
internal import Models
public import Storage
public import SubjectRights

/// Retention in ingest's copies. Alarms and grants follow their lanes; who helped to raise an alarm goes by its own time, too.
public enum CopiesRetention {
    /// - Parameter done: told after a commit of which orders nothing is left to do here; called on the engine's thread.
    public static func effects(
        _ around: any BlockEffects, database: ServiceDatabase, done: @escaping ([RetentionOutcome]) -> Void
    ) throws -> RetainingEffects {
        let contributions = RetainedRows(
            .contributions, table: "contributions", time: "first_at", bytes: "60 + 2 * length(alarm)")
        let rounds = try RetentionRounds(
            service: "ingest-copies", reportsOn: nil, database: database, journals: [], kinds: [contributions])
        return RetainingEffects(around, rounds, reported: done)
    }
}
