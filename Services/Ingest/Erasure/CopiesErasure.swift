internal import Lanes
internal import Models
public import Storage
public import SubjectRights

/// Erasure in ingest's copies: it is done when the router's and the dispatcher's receipts have come, and signed by the thread
/// that writes the other file.
public enum CopiesErasure {
    /// - Parameter clean: told after a commit of which requests nothing is left; called on the engine's thread.
    public static func effects(
        _ copies: CopiesEffects, database: ServiceDatabase, key: ReceiptKey, clean: @escaping ([String]) -> Void
    ) throws -> ErasingEffects {
        let plan = ErasurePlan(
            receiptsOn: nil, reads: CopiesEffects.subscriptions.map(\.lane),
            waitsFor: ["alert-router", "reward-dispatcher"])
        let rounds = try ErasureRounds(plan, database: database, journals: [], records: CopiesRecords(), key: key)
        return ErasingEffects(copies, rounds, signed: { clean($0.map(\.request)) })
    }
}
