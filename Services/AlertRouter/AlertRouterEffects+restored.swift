public import GRDB
public import Lanes

extension AlertRouterEffects {
    /// What the router does with its database when its home was restored, in the transaction that brings it over.
    public static func takeIn(_ restoration: Restoration, _ db: Database) throws {
        try AlertLeaps.leap(db, by: restoration.leap(atLeast: AlertLeaps.width, perSecond: 100_000))
    }
}
