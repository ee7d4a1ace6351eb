internal import GRDB
public import Storage

extension ExporterStore {
    /// Identifiers of the alarms that a tenant would be shown, in order; for checks of everything there is.
    ///
    /// - Parameters:
    ///   - name: a tenant that is there; the alarms of any other are none.
    ///   - database: with ``migrations``.
    public static func alarms(of name: String, in database: ServiceDatabase) throws -> [String] {
        try database.read { db in
            guard let tenant = try TenantStore.find(name, db), tenant.removedAt == nil else { return [] }
            let condition = AlarmStore.condition(tenant.asTenant.scope)
            return try String.fetchAll(db, sql: "SELECT alarm FROM alarms WHERE \(condition) ORDER BY alarm")
        }
    }
}
