public import Models

/// Who has an alert endpoint: the built-in regulator, and the tenants that the `operations` lane tells of.
public struct AlertTenant: Sendable, Equatable {
    /// Decides the ports (port + 2 × number and the next), fixed at creation, never reused.
    public let number: Int64
    /// Name of its key file and of its ZAP domain.
    public let name: String
    /// The networks whose alarms it is told; without meaning for a regulator.
    public let networks: Set<PLMN>
    /// True if it is told every alarm, also those of unknown networks.
    public let isRegulator: Bool
    /// The public key (Z85) of its subscribers; nil for the built-in regulator, whose pair the router makes.
    public let clientPublicKey: String?

    public init(number: Int64, name: String, networks: Set<PLMN>, isRegulator: Bool, clientPublicKey: String?) {
        self.number = number
        self.name = name
        self.networks = networks
        self.isRegulator = isRegulator
        self.clientPublicKey = clientPublicKey
    }

    /// The tenant that is always there, number 0.
    public static let regulator = AlertTenant(
        number: 0, name: "regulator", networks: [], isRegulator: true, clientPublicKey: nil)

    public init(_ document: TenantDocument) {
        self.init(
            number: document.number, name: document.name, networks: document.networks.subtracting([.unknown]),
            isRegulator: document.isRegulator, clientPublicKey: document.clientPublicKey)
    }

    /// Whether it is told an alarm of this operator's SIMs, with records from these other networks that served them.
    func isTold(of operatorOfSIM: PLMN, servedBy serving: Set<PLMN>) -> Bool {
        isRegulator || networks.contains(operatorOfSIM) || !networks.isDisjoint(with: serving)
    }
}
