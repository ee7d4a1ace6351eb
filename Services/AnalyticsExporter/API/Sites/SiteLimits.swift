internal import ExporterOperations
internal import ExporterSupport
internal import GRDB
internal import Models

/// How many sensors, doors and keys a tenant may have; of regulators, and set by `nkul admin`, there may be more.
package struct SiteLimits: Sendable {
    private let most: [SiteKind: Int]

    /// Sites are bounded by what the tenant owns.
    package init(sensors: Int, doors: Int, keys: Int) { most = [.sensor: sensors, .door: doors, .key: keys] }

    /// - Throws: ``ExporterAPIError`` 409 `too_many_documents` if a tenant that is about to add one has as many as it may have.
    func check(_ kind: SiteKind, of tenant: Tenant, _ db: Database) throws {
        guard !tenant.isRegulator, let most = most[kind] else { return }
        guard try Self.count(kind, of: tenant, db) < most else {
            throw ExporterAPIError.tooMany(kind.record, most: most)
        }
    }

    private static func count(_ kind: SiteKind, of tenant: Tenant, _ db: Database) throws -> Int {
        guard kind != .key else { return try DocumentStore.count(of: tenant.name, kind.record, db) }
        return try DocumentStore.countsBySite(kind.record, db).reduce(0) {
            $0 + (tenant.owns(site: $1.key) ? $1.value : 0)
        }
    }
}
