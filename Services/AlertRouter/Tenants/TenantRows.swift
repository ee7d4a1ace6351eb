internal import Foundation
internal import Models
internal import Wire

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
