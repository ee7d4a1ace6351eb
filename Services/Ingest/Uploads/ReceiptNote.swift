/// One of a device's last receipts, as its memory keeps it.
struct ReceiptNote: Equatable {
    let batch: BatchID
    /// Of the body; a receipt is given back only for the same body.
    let fingerprint: UInt32
    /// When it was given, Unix milliseconds.
    let at: Int64
    let accepted: UInt32
    /// Conflicts included.
    let duplicates: UInt32
    let rejected: UInt32
    /// True if its text, which lists items or columns, lies in the table `receipts`; else the figures are all of it.
    let hasItems: Bool
}
