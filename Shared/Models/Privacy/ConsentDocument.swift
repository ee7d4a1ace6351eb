/// The document of a record of kind `consent`: all that a device allows, replacing what it allowed before.
public struct ConsentDocument: Codable, Sendable, Hashable {
    /// Rises by one with each change of a device's consent, from 1 at its enrolment.
    public var version: Int64
    /// Names of the purposes that are allowed, as in the device API.
    public var purposes: [String]
    /// Version of the text that was consented to.
    public var policyVersion: String
    public var ageBand: String?
    /// True if a guardian agreed.
    public var guardian: Bool?

    public init(
        version: Int64, purposes: [String], policyVersion: String, ageBand: String? = nil, guardian: Bool? = nil
    ) {
        self.version = version
        self.purposes = purposes
        self.policyVersion = policyVersion
        self.ageBand = ageBand
        self.guardian = guardian
    }

    enum CodingKeys: String, CodingKey {
        case version, purposes, guardian
        case policyVersion = "policy_version"
        case ageBand = "age_band"
    }
}

extension RecordKind {
    /// What a subscriber allows from now on, on the `requests` lane; the document is a ``ConsentDocument``.
    public static let consent = RecordKind(
        id: 5, name: "consent", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
