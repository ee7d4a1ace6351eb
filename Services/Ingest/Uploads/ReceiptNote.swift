/// One of a device's last receipts, as its memory keeps it.
package struct ReceiptNote: Equatable {
    package let batch: BatchID
    /// Of the body; a receipt is given back only for the same body.
    package let fingerprint: UInt32
    /// When it was given, Unix milliseconds.
    package let at: Int64
    package let accepted: UInt32
    /// Conflicts included.
    package let duplicates: UInt32
    package let rejected: UInt32
    /// True if its text, which lists items or columns, lies in the table `receipts`; else the figures are all of it.
    package let hasItems: Bool

    package init(
        batch: BatchID, fingerprint: UInt32, at: Int64, accepted: UInt32, duplicates: UInt32, rejected: UInt32,
        hasItems: Bool
    ) {
        self.batch = batch
        self.fingerprint = fingerprint
        self.at = at
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
        self.hasItems = hasItems
    }
}
