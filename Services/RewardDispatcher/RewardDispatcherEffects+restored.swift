public import GRDB
public import Lanes

extension RewardDispatcherEffects {
    /// What the dispatcher does with its database when its home was restored, in the transaction that brings it over.
    public static func takeIn(_ restoration: Restoration, _ db: Database) throws {
        try RestoredGrants.note(restoration, db)
    }
}
