internal import Models

/// Codes that were made together, as an operator sees them: counts, never a code.
struct ActivationBatch: Codable, Sendable, Equatable {
    let batch: Int64
    let note: String
    let created_at_ms: UnixMilliseconds
    let expires_at_ms: UnixMilliseconds
    /// When what was left of it was revoked; left out if it was not.
    let revoked_at_ms: UnixMilliseconds?
    /// Codes that still enrol a phone.
    let unused: Int64
    let used: Int64
    /// Codes that nobody used in time.
    let expired: Int64
    /// Codes that were revoked before anybody used them.
    let revoked: Int64
}
