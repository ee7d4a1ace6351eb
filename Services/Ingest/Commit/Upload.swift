public import Models
public import Wire

/// One upload of a device, read and checked, as the engine takes it.
///
/// `columns` holds the rows that may be accepted, with `device`, `consent_version` and, where the phone said when it sent
/// them, `clock_offset_ms`; `captured_at` is corrected already. `received_at_ms` is stamped at the commit.
public struct Upload: Sendable {
    /// The device's ordinal.
    public let device: UInt64
    /// Version of the consent that its rows obey.
    let consentVersion: Int64
    public let kind: RecordKind
    public let batchID: BatchID
    /// Of the body as it came; tells a repetition from another body under the same idempotency key.
    let fingerprint: UInt32
    public let columns: Columns
    /// Place in the upload of each row of `columns`.
    let places: [Int32]
    let identities: [RowIdentity]
    /// Rows of `columns` that travel on the real-time lane.
    let urgent: RowSet
    /// Rows that were rejected already, by their place.
    let rejections: [RowRejection]
    /// Identifiers of rejected rows that had a readable one, by place.
    let rejectedIDs: [Int: RecordIdentifier]
    /// Rows of the upload, rejected ones included.
    public let rowCount: Int
    /// Whether the receipt lists what was plainly accepted, too.
    let listsAll: Bool

    /// True if a row of it travels on the real-time lane.
    public var isUrgent: Bool { !urgent.isEmpty }
    /// Roughly what it takes in memory.
    var byteCount: Int { columns.columns.reduce(0) { $0 + $1.integers.count * 8 + $1.bytes.count } + 256 }
}
