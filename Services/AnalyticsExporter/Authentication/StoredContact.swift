internal import GRDB
internal import Models

/// A row of the table of contacts, without its token.
struct StoredContact: Sendable, Equatable {
    let tenant: String
    let name: String
    let role: ContactRole
    let createdAt: UnixMilliseconds
    let revokedAt: UnixMilliseconds?

    /// - Parameter row: tenant's name or nil for the built-in one, name, role, created, revoked.
    init(_ row: Row) {
        tenant = row[0] ?? Regulator.tenant
        name = row[1]
        // Written by this program from the same words.
        role = ContactRole(rawValue: row[2]) ?? .viewer
        createdAt = row[3]
        revokedAt = row[4]
    }

    /// What other services learn of it.
    var document: ContactDocument { ContactDocument(tenant: tenant, name: name, role: role) }
}
