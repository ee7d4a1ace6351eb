/// By what a record is known when it comes again.
struct RowIdentity: Sendable, Equatable {
    /// The device's own counter, 0 if the record has none.
    let seq: Int64
    /// A hash of the record's id: given, or derived from device and seq.
    let id: UInt64
    /// A hash of what the record says (``ContentHash``).
    let content: UInt64
}
