/// A tenant on the `operations` lane: whose networks it may see, and how the router recognises its subscribers.
public struct TenantDocument: Codable, Sendable, Equatable {
    /// Names that mean something else: the built-in tenant, and the ZAP domain of the lanes.
    public static let reservedNames: Set<String> = ["regulator", "lanes"]

    public var name: String
    /// Its networks as text: five or six digits each.
    public var plmns: [String]
    /// What else it owns: texts of ``Scope``, `site:12`. Absent where there is nothing.
    public var scopes: [String]?
    /// True if it sees every network, and what belongs to none.
    public var isRegulator: Bool
    /// True if its raw rows show the reports' own ids.
    public var showsOriginalIDs: Bool
    /// Decides its alert ports (port + 2 × number and the next); given once, never again. 0 is the built-in regulator.
    public var number: Int64
    /// The public key of its subscribers, 40 characters of Z85. The secret one never travels.
    public var clientPublicKey: String

    public init(
        name: String, plmns: [String], scopes: [String]? = nil, isRegulator: Bool, showsOriginalIDs: Bool,
        number: Int64, clientPublicKey: String
    ) {
        self.name = name
        self.plmns = plmns
        self.scopes = scopes
        self.isRegulator = isRegulator
        self.showsOriginalIDs = showsOriginalIDs
        self.number = number
        self.clientPublicKey = clientPublicKey
    }

    /// Its networks; what is not the text of one is left out.
    public var networks: Set<PLMN> { Set(plmns.compactMap(PLMN.init(text:))) }

    /// All that it owns, its networks too; what is unknown, or not the text of any, is left out.
    public var owned: Set<Scope> {
        let others = (scopes ?? []).compactMap(Scope.init(text:))
        return Set(networks.map { Scope($0) } + others).filter { $0.number != 0 }
    }

    enum CodingKeys: String, CodingKey {
        case name, plmns, scopes, number
        case isRegulator = "regulator"
        case showsOriginalIDs = "original_ids"
        case clientPublicKey = "client_public_key"
    }
}
