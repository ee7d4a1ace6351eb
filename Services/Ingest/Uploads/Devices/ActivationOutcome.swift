/// What became of an activation code that an enrolment brought.
package enum ActivationOutcome: Equatable, Sendable {
    /// Used up by this enrolment; the number of its batch.
    case accepted(Int64)
    case unknown
    case used
    case expired
    case revoked

    /// The word of the metric. Phones are told none of the four apart.
    package var name: String {
        switch self {
        case .accepted: "accepted"
        case .unknown: "unknown"
        case .used: "used"
        case .expired: "expired"
        case .revoked: "revoked"
        }
    }

    package static let names = ["accepted", "unknown", "used", "expired", "revoked"]
}
