/// An accepted record as it must appear, once, among the raw rows.
public struct ReferenceRow: Sendable, Equatable {
    /// The device that sent it, as the run numbers them.
    public var device: Int
    /// `report` or `feedback`.
    public var kind: String
    /// The record's UUID in lower case: the phone's own, or the one that follows from device and `seq`.
    public var id: String
    /// When ingest committed it, Unix milliseconds.
    public var receivedAt: Int
    /// When it was captured, corrected by the phone's clock, Unix milliseconds.
    public var capturedAt: Int
    /// Every stored number by field name: scaled numbers, codes of words, 1 and 0 of flags.
    public var stored: [String: Int]
    /// The device had used this `seq` for another record.
    public var isSeqReused: Bool
    /// The record itself.
    public var record: ReferenceRecord
}
