/// How far the payment of a grant is.
public enum GrantState: String, Codable, Sendable, CaseIterable {
    /// Owed; the provider has not been called, or has said for certain that it did not pay.
    case pending
    /// Committed before the provider is called: it may have been paid from here on.
    case sent
    /// It is not known whether it was paid. It is asked about, never sent again on suspicion.
    case unknown
    /// The provider is being asked.
    case asked
    /// Paid.
    case confirmed
    /// Not paid, and will not be.
    case rejected

    /// True if nothing can follow.
    public var isFinal: Bool { self == .confirmed || self == .rejected }
}
