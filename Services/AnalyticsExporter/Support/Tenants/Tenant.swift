internal import Models

/// A tenant as requests need it.
struct Tenant: Sendable, Equatable {
    /// Given once, never again; 0 is the built-in regulator.
    let number: Int64
    let name: String
    /// Its networks; a regulator may have none.
    let networks: Set<PLMN>
    /// What else it owns, in schemes of other programmes.
    var others: Set<Scope> = []
    let isRegulator: Bool
    /// Whether its raw rows show the reports' own ids.
    let showsOriginalIDs: Bool

    /// The regulator that every home has, by the token in `keys/`.
    static let builtIn = Tenant(
        number: 0, name: Regulator.tenant, networks: [], isRegulator: true, showsOriginalIDs: true)

    var scope: NetworkScope { isRegulator ? .everything : .only(networks, others: others) }
}

/// The built-in tenant: the regulator, who sees every network.
enum Regulator {
    static let tenant = "regulator"
    /// Its first contact, whose token is in a file.
    static let contact = "regulator"
    /// Name of the token's file in `keys/`.
    static let tokenFile = "regulator.token"
}
