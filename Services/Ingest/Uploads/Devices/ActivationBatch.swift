package import Models

/// Codes that were made together, as an operator sees them: counts, never a code.
package struct ActivationBatch: Codable, Sendable, Equatable {
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

    package init(
        batch: Int64, note: String, created_at_ms: UnixMilliseconds, expires_at_ms: UnixMilliseconds,
        revoked_at_ms: UnixMilliseconds?, unused: Int64, used: Int64, expired: Int64, revoked: Int64
    ) {
        self.batch = batch
        self.note = note
        self.created_at_ms = created_at_ms
        self.expires_at_ms = expires_at_ms
        self.revoked_at_ms = revoked_at_ms
        self.unused = unused
        self.used = used
        self.expired = expired
        self.revoked = revoked
    }
}
