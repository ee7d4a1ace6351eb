/// A person who acts for a tenant, on the `operations` lane. Tokens and their hashes never travel.
public struct ContactDocument: Codable, Sendable, Equatable {
    public var tenant: String
    /// Unique within the tenant.
    public var name: String
    public var role: ContactRole

    public init(tenant: String, name: String, role: ContactRole) {
        self.tenant = tenant
        self.name = name
        self.role = role
    }

    /// The record's key: `tenant/name`.
    public var key: String { "\(tenant)/\(name)" }
}
