public import Models

/// Something that a subscriber did and that counts: one accepted record, under the local day on which it was captured.
///
/// Everything in this module is a function of the set of facts: order, lateness and repetition of their arrival make no
/// difference, and a fact that is taken out again leaves nothing behind.
public struct EngagementFact: Sendable, Hashable {
    /// What is counted: `feedback`, `report`.
    public let measure: String
    /// The record.
    public let record: RecordIdentifier
    /// Local day of its capture, days since 1970.
    public let day: Int64
    /// How much it counts, above 0.
    public let amount: Int64

    public init(_ measure: String, _ record: RecordIdentifier, day: Int64, amount: Int64 = 1) {
        self.measure = measure
        self.record = record
        self.day = day
        self.amount = amount
    }
}
