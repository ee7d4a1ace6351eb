/// Where a tenant's alerts are to be had: what the router announces once both sockets are bound. Holds no secret.
public struct EndpointDocument: Codable, Sendable, Equatable {
    /// Name of the tenant, the record's key.
    public var tenant: String
    /// Where to SUB.
    public var alertsPub: String
    /// Where to ask for SNAPSHOT and REPLAY.
    public var alertsReplay: String
    /// The endpoint's CURVE key (Z85).
    public var serverPublicKey: String
    /// Whether the endpoint speaks CURVE; if not, keys are not used.
    public var curve: Bool

    public init(tenant: String, alertsPub: String, alertsReplay: String, serverPublicKey: String, curve: Bool) {
        self.tenant = tenant
        self.alertsPub = alertsPub
        self.alertsReplay = alertsReplay
        self.serverPublicKey = serverPublicKey
        self.curve = curve
    }

    enum CodingKeys: String, CodingKey {
        case tenant, curve
        case alertsPub = "alerts_pub"
        case alertsReplay = "alerts_replay"
        case serverPublicKey = "server_public_key"
    }
}
