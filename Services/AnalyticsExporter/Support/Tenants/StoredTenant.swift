internal import GRDB
package import Models

/// A row of the table of tenants.
package struct StoredTenant: Sendable, Equatable {
    static let columns =
        "number, name, plmns, regulator, original_ids, client_public_key, created_at, removed_at, scopes"

    package let number: Int64
    package let name: String
    package let plmns: [String]
    /// Texts of ``Scope``.
    package let scopes: [String]
    package let isRegulator: Bool
    package let showsOriginalIDs: Bool
    /// 40 characters of Z85.
    package let clientPublicKey: String
    package let createdAt: UnixMilliseconds
    package let removedAt: UnixMilliseconds?

    init(_ row: Row) {
        number = row[0]
        name = row[1]
        plmns = (row[2] as String).split(separator: ",").map(String.init)
        isRegulator = row[3]
        showsOriginalIDs = row[4]
        clientPublicKey = row[5]
        createdAt = row[6]
        removedAt = row[7]
        scopes = (row[8] as String).split(separator: ",").map(String.init)
    }

    package var asTenant: Tenant {
        Tenant(
            number: number, name: name, networks: document.networks,
            others: document.owned.filter { $0.scheme != Scope.plmn }, isRegulator: isRegulator,
            showsOriginalIDs: showsOriginalIDs)
    }

    /// What other services learn of it.
    package var document: TenantDocument {
        TenantDocument(
            name: name, plmns: plmns, scopes: scopes.isEmpty ? nil : scopes, isRegulator: isRegulator,
            showsOriginalIDs: showsOriginalIDs, number: number, clientPublicKey: clientPublicKey)
    }
}
