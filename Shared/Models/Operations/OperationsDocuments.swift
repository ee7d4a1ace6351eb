extension RecordKind {
    /// A tenant, on the `operations` lane: ``TenantDocument``, keyed by its name. Without document: removed.
    public static let tenant = RecordKind(
        id: 7, name: "tenant", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 160)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// A contact of a tenant, on the `operations` lane: ``ContactDocument``, keyed by `tenant/name`. Without document: removed.
    public static let contact = RecordKind(
        id: 8, name: "contact", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 160)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// A rule that operators set, on the `operations` lane: a JSON object that the reader of the rule understands, keyed by
    /// its id. Without document: removed.
    public static let rule = RecordKind(
        id: 9, name: "rule", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 160)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// When phones ask their subscribers for feedback, on the `operations` lane: a JSON object with a `version` that rises,
    /// under the one key `policy`.
    public static let promptPolicy = RecordKind(
        id: 11, name: "prompt_policy", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

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

/// A person who acts for a tenant, on the `operations` lane. Tokens and their hashes never travel.
public struct ContactDocument: Codable, Sendable, Equatable {
    public var tenant: String
    /// Unique within the tenant.
    public var name: String
    public var role: ContactRole

    public init(tenant: String, name: String, role: ContactRole) {
        self.tenant = tenant
        self.name = name
        self.role = role
    }

    /// The record's key: `tenant/name`.
    public var key: String { "\(tenant)/\(name)" }
}

/// What a contact may do for its tenant.
public enum ContactRole: String, Codable, Sendable, CaseIterable {
    /// Looks at what the tenant may see.
    case viewer
    /// Also changes what the tenant may change.
    case engineer
    /// The same; and the one to ask.
    case manager

    /// True if more than looking is allowed.
    public var mayWrite: Bool { self != .viewer }
}
