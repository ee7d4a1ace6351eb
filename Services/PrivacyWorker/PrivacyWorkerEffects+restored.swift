public import GRDB
public import Lanes

extension PrivacyWorkerEffects {
    /// What the worker does with its database when its home was restored, in the transaction that brings it over.
    public static func takeIn(_ restoration: Restoration, _ db: Database) throws {
        try RestoreNotes.note(restoration, db)
    }
}
