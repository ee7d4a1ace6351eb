public import Models

/// Who has an alert endpoint: the built-in regulator, and the tenants that the `operations` lane tells of.
public struct AlertTenant: Sendable, Equatable {
    /// Decides the ports (port + 2 × number and the next), fixed at creation, never reused.
    public let number: Int64
    /// Name of its key file and of its ZAP domain.
    public let name: String
    /// The networks, sites and so on whose alarms it is told; without meaning for a regulator.
    public let scopes: Set<Scope>
    /// True if it is told every alarm, also those of unknown owners.
    public let isRegulator: Bool
    /// The public key (Z85) of its subscribers; nil for the built-in regulator, whose pair the router makes.
    public let clientPublicKey: String?

    public init(number: Int64, name: String, scopes: Set<Scope>, isRegulator: Bool, clientPublicKey: String?) {
        self.number = number
        self.name = name
        self.scopes = scopes
        self.isRegulator = isRegulator
        self.clientPublicKey = clientPublicKey
    }

    /// The tenant that is always there, number 0.
    public static let regulator = AlertTenant(
        number: 0, name: "regulator", scopes: [], isRegulator: true, clientPublicKey: nil)

    public init(_ document: TenantDocument) {
        self.init(
            number: document.number, name: document.name, scopes: document.owned, isRegulator: document.isRegulator,
            clientPublicKey: document.clientPublicKey)
    }

    /// Whether it is told an alarm of this owner, with records from these other networks that served its SIMs.
    func isTold(of owner: Scope?, servedBy serving: Set<PLMN>) -> Bool {
        isRegulator || owner.map(scopes.contains) ?? false || serving.contains { scopes.contains(Scope($0)) }
    }
}
