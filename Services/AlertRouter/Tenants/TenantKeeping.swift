internal import Foundation
internal import GRDB
internal import Models
internal import Storage
internal import Wire

/// Keeps the tenants, in memory and in the router's database. Confined to the thread of the effects.
///
/// If a transaction fails the service ends, and memory that was ahead of the database with it.
final class TenantKeeping {
    private let store = TenantStore()
    private var register: TenantRegister
    private let refused: (_ name: String, _ reason: String) -> Void
    /// Whether there is a change that endpoints do not know of yet.
    private(set) var hasChanged = false

    init(_ database: ServiceDatabase, refused: @escaping (_ name: String, _ reason: String) -> Void) throws {
        self.refused = refused
        register = try database.read { [store] db in try store.register(db) }
    }

    /// The tenants of the lane, by number.
    var present: [AlertTenant] { register.tenants }

    /// Takes in rows of kind `tenant`.
    func follow(_ columns: Columns, _ db: Database) throws {
        for event in TenantRows(columns).events {
            switch event {
            case .success(let event):
                for action in register.handle(event) { try carryOut(action, db) }
            case .failure(let fault): refused(fault.name, fault.reason)
            }
        }
    }

    /// True once after each change.
    func takeChange() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    private func carryOut(_ action: TenantRegister.Action, _ db: Database) throws {
        switch action {
        case .add(let tenant): try store.put(tenant, db)
        case .change(let tenant, from: let old):
            try store.put(tenant, db)
            let isNarrower = !tenant.isRegulator && (old.isRegulator || !old.scopes.isSubset(of: tenant.scopes))
            if isNarrower { try AlertMessageStore(tenant: tenant).forgetOthers(db) }
        case .remove(let tenant): try store.remove(tenant, db)
        case .refuse(let name, let reason): return refused(name, reason)
        }
        hasChanged = true
    }
}

/// The tenants of a block of the `operations` lane, row by row.
struct TenantRows {
    private let columns: Columns

    init(_ columns: Columns) { self.columns = columns }

    /// What the rows tell, in their order; a row that cannot be read is given as its name and why.
    var events: [Result<TenantRegister.Event, Fault>] {
        guard let keys = columns[ColumnID.key] else { return [] }
        let documents = columns[ColumnID.document]
        return (0..<columns.rowCount).compactMap { row in
            guard let key = keys.value(row) else { return nil }
            return event(name: String(decoding: key, as: UTF8.self), documents?.value(row))
        }
    }

    /// A row that is not a tenant.
    struct Fault: Error, Equatable {
        let name: String
        let reason: String
    }

    private func event(name: String, _ document: ArraySlice<UInt8>?) -> Result<TenantRegister.Event, Fault> {
        guard let document else { return .success(.remove(name: name)) }
        do {
            let tenant = try JSONDecoder().decode(TenantDocument.self, from: Data(document))
            guard tenant.name == name else {
                return .failure(Fault(name: name, reason: "its document has another name"))
            }
            return .success(.put(tenant))
        } catch {
            return .failure(Fault(name: name, reason: "its document cannot be read"))
        }
    }
}
