internal import Foundation
package import GRDB
package import Models
package import ServiceKit
internal import Storage
internal import Synchronization

/// Who may see what, as of the last commit: requests ask here and never wait for the database.
///
/// Thread-safe. Written by the thread of the effects after each commit that changed it.
package final class AccessDirectory: Sendable {
    private let snapshot: Mutex<AccessSnapshot>

    package init(_ snapshot: AccessSnapshot) { self.snapshot = Mutex(snapshot) }

    package func replace(_ new: AccessSnapshot) { snapshot.withLock { $0 = new } }

    /// The caller of a token, nil if it is not known (any more).
    package func caller(token: SecretDigest) -> Caller? { snapshot.withLock { $0.callers[token] } }

    /// A living contact by name, of a tenant by name; nil if there is none.
    package func caller(_ contact: String, of tenant: String) -> Caller? {
        snapshot.withLock { $0.callers.values.first { $0.contact == contact && $0.tenant.name == tenant } }
    }

    /// The one living contact of a name, of a tenant if it is named; nil if there is none, or more than one.
    package func onlyCaller(_ contact: String, of tenant: String?) -> Caller? {
        let found = snapshot.withLock { snapshot in
            snapshot.callers.values.filter { $0.contact == contact && (tenant ?? $0.tenant.name) == $0.tenant.name }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Living contacts of a tenant who may do more than look, in the order of their names.
    package func contacts(of tenant: Tenant) -> [String] {
        let callers = snapshot.withLock { Array($0.callers.values) }
        return Set(callers.filter { $0.tenant == tenant && $0.role.mayWrite }.map(\.contact)).sorted()
    }

    /// A tenant that has contacts, by name.
    package func tenant(_ name: String) -> Tenant? {
        snapshot.withLock { $0.callers.values.lazy.map(\.tenant).first { $0.name == name } }
    }

    /// The caller of a session, nil if it has ended or its token is not known any more.
    func caller(session: SecretDigest, now: UnixMilliseconds) -> Caller? {
        snapshot.withLock { snapshot in
            guard let known = snapshot.sessions[session], known.endsAt > now,
                var caller = snapshot.callers[known.token]
            else { return nil }
            caller.session = session
            return caller
        }
    }

    /// The caller as it is now; nil if it may not go on.
    func current(_ caller: Caller, now: UnixMilliseconds) -> Caller? {
        guard let session = caller.session else { return self.caller(token: caller.token) }
        return self.caller(session: session, now: now)
    }

    /// Where a tenant's alerts are to be had, once the router has said so.
    package func endpoint(of tenant: String) -> EndpointDocument? { snapshot.withLock { $0.endpoints[tenant] } }
}

/// Tenants, contacts, sessions and endpoints as one transaction left them; what every request is checked against.
package struct AccessSnapshot: Sendable {
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

    package init(builtIn: SecretDigest, _ db: Database) throws {
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

/// Whether a caller may go on with what it began: a stream or download ends when its contact is revoked, its tenant removed
/// or its session over.
package struct StillAllowed: Sendable {
    let directory: AccessDirectory
    let clock: WallClock

    package init(directory: AccessDirectory, clock: WallClock) {
        self.directory = directory
        self.clock = clock
    }

    /// The caller as it is now, nil if it may not go on.
    package func current(_ caller: Caller) -> Caller? { directory.current(caller, now: clock.now()) }
}
