package import Models

/// A tenant as requests need it.
package struct Tenant: Sendable, Equatable {
    /// Given once, never again; 0 is the built-in regulator.
    package let number: Int64
    package let name: String
    /// Its networks; a regulator may have none.
    package let networks: Set<PLMN>
    /// What else it owns, in schemes of other programmes.
    var others: Set<Scope> = []
    package let isRegulator: Bool
    /// Whether its raw rows show the reports' own ids.
    package let showsOriginalIDs: Bool

    /// The regulator that every home has, by the token in `keys/`.
    package static let builtIn = Tenant(
        number: 0, name: Regulator.tenant, networks: [], isRegulator: true, showsOriginalIDs: true)

    /// All that it owns.
    package var owned: Set<Scope> { others.union(networks.map { Scope($0) }) }

    package var scope: NetworkScope { isRegulator ? .everything : .only(networks, others: others) }
}

/// The built-in tenant: the regulator, who sees every network.
package enum Regulator {
    package static let tenant = "regulator"
    /// Its first contact, whose token is in a file.
    package static let contact = "regulator"
    /// Name of the token's file in `keys/`.
    package static let tokenFile = "regulator.token"
}
