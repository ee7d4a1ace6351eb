internal import Models

/// By what a record is known when it comes again.
struct RowIdentity: Sendable, Equatable {
    /// The device's own counter, 0 if the record has none.
    let seq: Int64
    /// A hash of the record's id: given, or derived from device and seq.
    let id: UInt64
    /// A hash of what the record says (``ContentHash``).
    let content: UInt64

    /// Hash of an id; 64 bits of a mix of its 128.
    static func hash(_ id: RecordIdentifier) -> UInt64 {
        ContentHash.mix(ContentHash.mix(0x9E37_79B9_7F4A_7C15, id.high), id.low)
    }
}
