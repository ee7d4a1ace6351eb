internal import Models

/// Who makes a request, proven by a token: a contact of a tenant.
struct Caller: Sendable, Equatable {
    let tenant: Tenant
    let contact: String
    let role: ContactRole
    /// The token's digest; it stops being known when the contact is revoked or its tenant removed.
    let token: SecretDigest
    /// The session that stands for the token; nil with the token itself.
    var session: SecretDigest?
}
