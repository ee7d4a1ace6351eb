/// Something that keeps in memory what a database keeps on disk, and must forget what was rolled back.
///
/// Both functions are called on the thread that called ``ServiceDatabase/write(_:)``, after the transaction.
public protocol TransactionParticipant: AnyObject {
    /// The transaction is on disk.
    func transactionCommitted()
    /// Nothing of the transaction happened.
    func transactionRolledBack()
}
