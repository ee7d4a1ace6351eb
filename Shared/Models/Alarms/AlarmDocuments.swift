extension RecordKind {
    /// An alarm as TM Forum TMF642 JSON, on the `alerts` lane, keyed by its identifier.
    public static let alarm = RecordKind(
        id: 4, name: "alarm", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
            Field(ColumnID.networks, "networks", .text(maximumCharacters: .max)),
            Field(ColumnID.scope, "scope", .text(maximumCharacters: 64)),
        ])

    /// That a device's records count in an alarm, on the `alerts` lane: ``ContributionDocument``, keyed by alarm and device.
    ///
    /// A kind of its own beside ``alarm``, so that who reads alarms is sent nobody's devices, and one row a device, so that what
    /// is a subscriber's can be taken out.
    public static let contribution = RecordKind(
        id: 15, name: "contribution", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// A bound pair of alert sockets as JSON (``EndpointDocument``), on the `alerts` lane, keyed by the tenant's name.
    public static let endpoint = RecordKind(
        id: 16, name: "endpoint", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `contribution`: what a device has to do with an alarm.
public struct ContributionDocument: Codable, Sendable, Equatable {
    /// Identifier of the alarm.
    public var alarm: String
    /// The device's ordinal.
    public var device: UInt64
    /// Its records that count in the alarm.
    public var records: Int64
    /// When the first of them was received, Unix milliseconds; constant.
    public var firstAt: UnixMilliseconds

    public init(alarm: String, device: UInt64, records: Int64, firstAt: UnixMilliseconds) {
        self.alarm = alarm
        self.device = device
        self.records = records
        self.firstAt = firstAt
    }

    /// The key of the record.
    public var key: String { "\(alarm)/\(device)" }

    enum CodingKeys: String, CodingKey {
        case alarm, device, records
        case firstAt = "first_at_ms"
    }
}

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
