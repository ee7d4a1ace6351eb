/// By what a record is known when it comes again.
package struct RowIdentity: Sendable, Equatable {
    /// The device's own counter, 0 if the record has none.
    package let seq: Int64
    /// A hash of the record's id: given, or derived from device and seq.
    package let id: UInt64
    /// A hash of what the record says (``ContentHash``).
    package let content: UInt64
}
