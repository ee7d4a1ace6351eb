internal import ExporterSupport
public import Models
public import Storage
public import Wire

extension RawRowFiles {
    /// Hands out all stored rows that were not erased, block by block in the order of their arrival; for checks of everything
    /// there is.
    public func forEachBlock(_ body: (_ kind: RecordKind, _ columns: Columns) throws -> Void) throws {
        let reader = try opener.reader(after: .start)
        let everything = try RawRowQuery(
            QueryParameters([(key: String, value: String)](), known: []), layout, scope: .everything)
        while let block = try reader.next(everything) { try body(block.kind, block.columns) }
    }
}

extension RawRowFiles {
    /// Hands out the stored rows that a tenant would be shown; for checks of everything there is.
    ///
    /// - Parameters:
    ///   - name: a tenant that is there; the rows of any other are none.
    ///   - database: with ``ExporterStore/migrations``, where tenants are.
    public func forEachRow(
        of name: String, in database: ServiceDatabase,
        _ body: (_ kind: RecordKind, _ columns: Columns, _ row: Int) throws -> Void
    ) throws {
        let tenant = try database.read { try TenantStore.find(name, $0) }
        guard let tenant, tenant.removedAt == nil else { return }
        let reader = try opener.reader(after: .start)
        let query = try RawRowQuery(
            QueryParameters([(key: String, value: String)](), known: []), layout, scope: tenant.asTenant.scope)
        while let block = try reader.next(query) {
            for row in query.rows(of: block) { try body(block.kind, block.columns, row) }
        }
    }
}
