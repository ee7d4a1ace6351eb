internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Tenants, contacts, sessions and endpoints as one transaction left them; what every request is checked against.
struct AccessSnapshot: Sendable {
    /// A session that a browser has begun.
    struct Session: Sendable {
        /// The token it stands for.
        let token: SecretDigest
        let endsAt: UnixMilliseconds
    }

    /// Callers by the digest of their token.
    private(set) var callers: [SecretDigest: Caller] = [:]
    /// Sessions by the digest of their name.
    private(set) var sessions: [SecretDigest: Session] = [:]
    /// Where tenants' alerts are to be had, by the tenant's name.
    private(set) var endpoints: [String: EndpointDocument] = [:]

    /// - Parameter builtIn: the token of the built-in regulator.
    init(builtIn: SecretDigest) {
        callers[builtIn] = Caller(
            tenant: .builtIn, contact: Regulator.contact, role: .manager, token: builtIn, session: nil)
    }

    init(builtIn: SecretDigest, _ db: Database) throws {
        self.init(builtIn: builtIn)
        var tenants = try TenantStore.living(db).reduce(into: [Int64: Tenant]()) { $0[$1.number] = $1.asTenant }
        tenants[0] = .builtIn
        for row in try Row.fetchAll(db, sql: "SELECT tenant, name, role, token FROM contacts WHERE revoked_at IS NULL")
        {
            guard let tenant = tenants[row[0]], let role = ContactRole(rawValue: row[2]) else { continue }
            let token = SecretDigest(stored: Blob.bytes(row, 3))
            callers[token] = Caller(tenant: tenant, contact: row[1], role: role, token: token, session: nil)
        }
        for row in try Row.fetchAll(db, sql: "SELECT name, token, ends_at FROM sessions") {
            let token = SecretDigest(stored: Blob.bytes(row, 1))
            sessions[SecretDigest(stored: Blob.bytes(row, 0))] = Session(token: token, endsAt: row[2])
        }
        for row in try Row.fetchAll(db, sql: "SELECT tenant, document FROM endpoints") {
            let document = try? JSONDecoder().decode(EndpointDocument.self, from: Data(Blob.bytes(row, 1)))
            endpoints[row[0]] = document
        }
    }
}
