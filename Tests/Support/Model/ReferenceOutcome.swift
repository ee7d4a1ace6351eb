/// What becomes of one record of an upload.
public enum ReferenceOutcome: Sendable, Equatable {
    case accepted
    case duplicate
    case conflict
    /// Not accepted; the field at fault.
    case rejected(field: String)

    /// The word of a receipt.
    public var status: String {
        switch self {
        case .accepted: "accepted"
        case .duplicate: "duplicate"
        case .conflict: "conflict"
        case .rejected: "rejected"
        }
    }
}
