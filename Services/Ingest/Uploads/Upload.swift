public import Models
public import Wire

/// One upload of a device, read and checked, as the engine takes it. Never changes; usable from any thread.
///
/// `rows` holds the rows that may be accepted, with `device`, `consent_version` and, where the phone said when it sent
/// them, `clock_offset_ms`; `captured_at` is corrected already. `received_at_ms` is stamped at the commit.
public final class Upload: Sendable {
    /// The device's ordinal.
    public let device: UInt64
    /// Version of the consent that its rows obey.
    package let consentVersion: Int64
    public let kind: RecordKind
    public let batchID: BatchID
    /// Of the body as it came; tells a repetition from another body under the same idempotency key.
    package let fingerprint: UInt32
    public let rows: PackedColumns
    /// Place in the upload of each row of `rows`; nil: none was rejected, each has its own.
    private let keptPlaces: [Int32]?
    package let identities: [RowIdentity]
    /// Rows of `rows` that travel on the real-time lane; nil: none.
    private let urgentRows: RowSet?
    /// Rows that were rejected already, by their place.
    package let rejections: [RowRejection]
    /// Identifiers of rejected rows that had a readable one, by place.
    package let rejectedIDs: [Int: RecordIdentifier]
    /// Values that were left out of rows that stay, by the place of their row.
    package let leftOut: [Int: [LeftOutValue]]
    /// Columns of a CSV that are no fields; nil: none.
    package let unknownColumns: UnknownColumns?
    /// Rows of the upload, rejected ones included.
    public let rowCount: Int
    /// Whether the receipt lists what was plainly accepted, too.
    package let listsAll: Bool
    /// How far the device was trusted when it was read; its rows carry that already.
    package let trust: DeviceTrust?

    init(
        device: UInt64, consentVersion: Int64, kind: RecordKind, batchID: BatchID, fingerprint: UInt32,
        rows: PackedColumns, keptPlaces: [Int32]?, identities: [RowIdentity], urgentRows: RowSet?,
        rejections: [RowRejection], rejectedIDs: [Int: RecordIdentifier], leftOut: [Int: [LeftOutValue]],
        unknownColumns: UnknownColumns?, rowCount: Int, listsAll: Bool, trust: DeviceTrust?
    ) {
        self.device = device
        self.consentVersion = consentVersion
        self.kind = kind
        self.batchID = batchID
        self.fingerprint = fingerprint
        self.rows = rows
        self.keptPlaces = keptPlaces
        self.identities = identities
        self.urgentRows = urgentRows
        self.rejections = rejections
        self.rejectedIDs = rejectedIDs
        self.leftOut = leftOut
        self.unknownColumns = unknownColumns
        self.rowCount = rowCount
        self.listsAll = listsAll
        self.trust = trust
    }

    /// True if a row of it travels on the real-time lane.
    public var isUrgent: Bool { urgentRows != nil }
    /// True if a row of `rows` travels on the real-time lane.
    package func isUrgent(_ row: Int) -> Bool { urgentRows?[row] ?? false }
    /// Place in the upload of a row of `rows`.
    package func place(_ row: Int) -> Int { keptPlaces.map { Int($0[row]) } ?? row }
    /// Roughly what it takes in memory.
    package var byteCount: Int {
        rows.byteCount + identities.count * MemoryLayout<RowIdentity>.stride + 256
            + rejections.count * (MemoryLayout<RowRejection>.stride + 100)
            + leftOut.values.reduce(0) { $0 + 64 + $1.count * MemoryLayout<LeftOutValue>.stride }
    }

    /// The id of a row of `rows`: given, or derived from device and seq.
    package func identifier(_ row: Int) -> RecordIdentifier? {
        if let id = rows.identifier(of: ColumnID.id, row) { return RecordIdentifier(high: id.high, low: id.low) }
        let seq = identities[row].seq
        return seq == 0 ? nil : RecordIdentifier(device: device, seq: seq)
    }
}

/// By what a record is known when it comes again.
package struct RowIdentity: Sendable, Equatable {
    /// The device's own counter, 0 if the record has none.
    package let seq: Int64
    /// A hash of the record's id: given, or derived from device and seq.
    package let id: UInt64
    /// A hash of what the record says (``ContentHash``).
    package let content: UInt64
}
