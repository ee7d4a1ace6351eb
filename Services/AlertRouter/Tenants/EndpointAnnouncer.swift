internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import ServiceKit

/// Tells the `alerts` lane which endpoints are bound, each once, and again only if something changed.
///
/// What was announced stays announced while a tenant's address is in the way of another program: it is to come back.
struct EndpointAnnouncer {
    /// The sockets of the tenants; nil for simulations, which have none.
    var endpoints: (any TenantEndpoints)?
    private var hasAnnounced = false

    /// Whether there is something to announce.
    var isDue: Bool { endpoints?.hasNews == true }

    /// Announces the endpoints of these tenants and of the built-in regulator; true if anything was announced.
    mutating func announce(_ tenants: [AlertTenant], in db: Database, emit: inout Emission) throws -> Bool {
        guard let endpoints, endpoints.hasNews else { return false }
        hasAnnounced = true
        let names = [AlertTenant.regulator.name] + tenants.map(\.name)
        return try announce(endpoints.bound, tenants: Set(names), in: db, emit: &emit)
    }

    /// What was announced is on disk.
    mutating func committed() {
        guard hasAnnounced else { return }
        hasAnnounced = false
        endpoints?.announced()
    }

    /// - Parameters:
    ///   - bound: the endpoints that are open.
    ///   - tenants: names of all tenants there are, open or not.
    /// - Returns: true if anything was announced.
    private func announce(
        _ bound: [EndpointDocument], tenants: Set<String>, in db: Database, emit: inout Emission
    ) throws -> Bool {
        var rows = KeyedRows()
        for endpoint in bound where try note(endpoint, db) {
            rows.append(key: Array(endpoint.tenant.utf8), document: try Self.json(endpoint))
        }
        for name in try String.fetchAll(db, sql: "SELECT tenant FROM announced_endpoints ORDER BY tenant")
        where !tenants.contains(name) {
            try db.execute(sql: "DELETE FROM announced_endpoints WHERE tenant = ?", arguments: [name])
            rows.append(key: Array(name.utf8), document: nil)
        }
        guard !rows.isEmpty else { return false }
        try emit.append(to: .alerts, kind: .endpoint, columns: rows.columns)
        return true
    }

    /// True if it is new or another one than announced.
    private func note(_ endpoint: EndpointDocument, _ db: Database) throws -> Bool {
        let document = Data(try Self.json(endpoint))
        let known = try Data.fetchOne(
            db, sql: "SELECT document FROM announced_endpoints WHERE tenant = ?", arguments: [endpoint.tenant])
        guard known != document else { return false }
        try db.execute(
            sql: "INSERT OR REPLACE INTO announced_endpoints (tenant, document) VALUES (?, ?)",
            arguments: [endpoint.tenant, document])
        return true
    }

    private static func json(_ endpoint: EndpointDocument) throws -> [UInt8] {
        try SortedJSON.bytes(of: endpoint)
    }
}
