/// What a contact may do for its tenant.
public enum ContactRole: String, Codable, Sendable, CaseIterable {
    /// Looks at what the tenant may see.
    case viewer
    /// Also changes what the tenant may change.
    case engineer
    /// The same; and the one to ask.
    case manager

    /// True if more than looking is allowed.
    public var mayWrite: Bool { self != .viewer }
}
