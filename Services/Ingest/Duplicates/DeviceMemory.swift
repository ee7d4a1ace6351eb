import IngestUploads

/// What ingest remembers of one device so that nothing counts twice, or a layer of it (``LayeredMemory``), as one blob.
///
/// - Records with `seq`: ``SeqWindows``. Records without: ``IDBuckets``. The counter is shared by all kinds.
/// - Content: 16 bits of ``ContentHash`` beside each id, so that a known id with other content is told from a repetition
///   (missed with probability 2⁻¹⁶, and then called a duplicate: the first stands either way).
/// - Receipts: figures of the last 16, 8 days; those that list items lie in a table of their own.
///
/// Kept for a day beyond the acceptance horizon; what is forgotten would be refused as too old.
///
///     version u8 │ buckets u8 │ receipts u8 │ consent u8 │ pages u32 │ marks u32
///     pages    base u64 │ bitmap u64 │ day u32
///     marks    u32 each
///     buckets  day u32 │ count u32 │ ids u64 × count │ contents u16 × count
///     receipts batch 2 × u64 │ at i64 │ fingerprint, accepted, duplicates, rejected u32 │ items u8       (little-endian)
package struct DeviceMemory: Equatable {
    /// Receipts that are kept, and how long (ms).
    static let receiptCount = 16
    package static let receiptLifetime: Int64 = 8 * 86_400_000
    /// Days beyond which a record would be refused anyway.
    static let days: UInt32 = 9

    var windows = SeqWindows()
    var ids = IDBuckets()
    /// Oldest first.
    var receipts: [ReceiptNote] = []
    /// Which version of its consent a device has (``mark(ofConsent:)``); 0 as long as it is the first.
    ///
    /// Here, because this is read for every upload anyway: finding out that consent did not change costs nothing.
    var consentMark: UInt8 = 0

    /// 1 to 255, another one for each of 255 versions in a row: nobody changes a consent so often while an upload waits.
    package static func mark(ofConsent version: Int64) -> UInt8 { UInt8(version % 255) + 1 }

    package static func day(_ time: Int64) -> UInt32 { UInt32(clamping: max(0, time) / 86_400_000) }

    /// Forgets what is beyond the horizon; whether there was anything, and the batches of receipts whose text goes, too.
    mutating func prune(now: Int64) -> (gone: [BatchID], wasForgotten: Bool) {
        let today = Self.day(now)
        var wasForgotten = false
        if today > Self.days {
            wasForgotten = windows.prune(before: today - Self.days)
            wasForgotten = ids.prune(before: today - Self.days) || wasForgotten
        }
        let gone = receipts.filter { $0.at < now - Self.receiptLifetime }
        if !gone.isEmpty { receipts.removeAll { $0.at < now - Self.receiptLifetime } }
        return (gone.filter(\.hasItems).map(\.batch), wasForgotten || !gone.isEmpty)
    }

    /// These and newer ones, as one: of a counter that both have, the record of this.
    func union(_ newer: DeviceMemory) -> DeviceMemory {
        guard self != DeviceMemory() else { return newer }
        var union = DeviceMemory()
        union.windows = windows.union(newer.windows)
        union.ids = ids.union(newer.ids)
        union.receipts = Self.receipts(receipts, and: newer.receipts)
        union.consentMark = newer.consentMark != 0 ? newer.consentMark : consentMark
        return union
    }

    /// The last of two lists, one of a batch, oldest first.
    static func receipts(_ older: [ReceiptNote], and newer: [ReceiptNote]) -> [ReceiptNote] {
        older.filter { note in !newer.contains { $0.batch == note.batch } }.suffix(receiptCount - newer.count) + newer
    }

    /// Adds a receipt in the place of an earlier one of the same batch; the oldest goes if there are too many.
    mutating func add(_ note: ReceiptNote) {
        receipts.removeAll { $0.batch == note.batch }
        receipts.append(note)
        if receipts.count > Self.receiptCount { receipts.removeFirst(receipts.count - Self.receiptCount) }
    }
}
